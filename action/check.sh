#!/usr/bin/env bash
# Starts the servers and writes the report. What runs here is the work of whoever wrote the servers: it gets
# no token, no file that steers later steps, and no way to speak to the runner through our output.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
source "$here/common.sh"

# What a server must not find in our environment. Other processes of the same user can read that of a shell,
# so this one starts again without them, and learns the names of the runner's files by a pipe.
readonly secret='^(ACTIONS_.*|CI_JOB_.*|GH_.*TOKEN|GITHUB_(.*TOKEN|ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)|MCP_LINT_TOKEN)$'

start_again_without_secrets() {
    local name words=()
    while read -r name; do
        if [[ $name =~ $secret ]]; then
            words+=(-u "$name")
        fi
    done < <(compgen -e)
    exec env "${words[@]}" MCP_LINT_ACTION=started bash "${BASH_SOURCE[0]}" 3< <(
        printf '%s\n' "${GITHUB_OUTPUT:-/dev/null}" "${GITHUB_ENV:-}" "${GITHUB_PATH:-}" "${GITHUB_STATE:-}" "${GITHUB_STEP_SUMMARY:-}"
    )
}

main() {
    mapfile -t -u 3 runner_files
    exec 3<&-
    unset MCP_LINT_ACTION
    handed_over=''
    trap 'on_exit $?' EXIT
    refuse_privileged_event
    find_folders
    local code=0 args=() image
    image=$(image)
    read_inputs
    case ${INPUT_RUNTIME:-container} in
        container) quietly in_container || code=$? ;;
        host)
            take_binary "$image" "$kept"
            quietly on_host || code=$?
            ;;
        *) fail "The input runtime is neither container nor host." ;;
    esac
    empty_runner_files
    hand_over "$code"
}

# However it ends, there is an exit code for later steps.
on_exit() {
    if [[ -z $handed_over && $BASHPID == "$$" ]]; then
        printf 'exit-code=%d\n' "$1" >>"${runner_files[0]}"
    fi
}

# Under these the token can write and the code may be a stranger's.
refuse_privileged_event() {
    case ${GITHUB_EVENT_NAME:-} in
        pull_request_target | workflow_run | issue_comment)
            if [[ ${INPUT_ALLOW_PRIVILEGED_EVENT:-} != true ]]; then
                fail "Servers are not started under $GITHUB_EVENT_NAME: the job's token can write, and the code may be a stranger's. Check under pull_request, and publish the report from a second workflow."
            fi
            ;;
    esac
}

find_folders() {
    workspace=${GITHUB_WORKSPACE:-$PWD}
    folder=$(cd -- "$workspace" && cd -- "${INPUT_WORKING_DIRECTORY:-.}" && pwd) ||
        fail "There is no folder as the input working-directory says."
    # Outside the workspace, where no file of the repository can be in the way.
    kept=$(mktemp -d "${RUNNER_TEMP:-/tmp}/mcp-lint.XXXXXXXX")
    mkdir "$kept/out"
    if grep -qsi 'extraheader' "$workspace/.git/config"; then
        printf '::warning title=mcp-lint::%s\n' "A token stands in .git/config, where every server can read it. Set persist-credentials: false at actions/checkout."
    fi
}

# The options of the check, in args.
read_inputs() {
    local line
    # Paths in the report start at the top of the workspace, whichever folder is checked.
    option --root "${INPUT_WORKING_DIRECTORY:-.}"
    while read -r line; do args+=(--config "$(below "$line")"); done < <(lines "${INPUT_CONFIG:-}")
    while read -r line; do args+=(--server "$line"); done < <(lines "${INPUT_SERVERS:-}")
    option --command "${INPUT_COMMAND:-}"
    option --clients "${INPUT_CLIENTS:-}"
    option --preset "${INPUT_PRESET:-}"
    option --fail-on "${INPUT_FAIL_ON:-}"
    option --baseline "${INPUT_BASELINE:+$(below "$INPUT_BASELINE")}"
    option --timeout "${INPUT_TIMEOUT:-}"
    option --shard "${INPUT_SHARD:-}"
    option --category "${INPUT_CATEGORY:-}"
    flag --strict "${INPUT_STRICT:-}"
    flag --http "${INPUT_HTTP:-}"
    flag --allow-privileged-event "${INPUT_ALLOW_PRIVILEGED_EVENT:-}"
    args+=(--output "json=$kept/out/report.json" --output "sarif=$kept/out/report.sarif")
}

flag() {
    case $2 in
        true) args+=("$1") ;;
        false | '') ;;
        *) fail "The input ${1#--} is neither true nor false." ;;
    esac
}

# The same paths inside as outside, so that links and absolute paths lead to the same places; of the runner's
# programs those of the tool cache, which it can only read.
in_container() {
    command -v docker >/dev/null || fail "There is no docker here; runtime: host needs the image too."
    local name words=(
        run --rm --init --cap-drop ALL --security-opt no-new-privileges
        --user "$(id -u):$(id -g)" --workdir "$workspace" --entrypoint bash
        --mount "type=bind,source=$workspace,target=$workspace"
        --mount "type=bind,source=$kept/out,target=$kept/out"
    )
    if [[ -d ${RUNNER_TOOL_CACHE:-} ]]; then
        words+=(--mount "type=bind,source=$RUNNER_TOOL_CACHE,target=$RUNNER_TOOL_CACHE,readonly")
    fi
    if [[ -n ${INPUT_NETWORK:-} ]]; then
        words+=(--network "$INPUT_NETWORK")
    fi
    while read -r name; do words+=(--env "$name"); done < <(passed_names)
    # The search path of the image follows, which only a shell inside knows.
    INNER_PATH=$(own_path) INNER_FOLDER=$folder docker "${words[@]}" \
        --env INNER_FOLDER --env INNER_PATH --env INPUT_SETUP "$image" -c "$inner" mcp-lint "${args[@]}"
}

# shellcheck disable=SC2016 # for the shell inside
readonly inner='
PATH=$INNER_PATH$PATH setup=${INPUT_SETUP:-} folder=$INNER_FOLDER
unset INNER_FOLDER INNER_PATH INPUT_SETUP
if [ -n "$setup" ]; then
    cd -- "$folder"
    bash -eo pipefail -c "$setup" </dev/null || { echo "error: setup ended with exit code $?" >&2; exit 2; }
    cd -- "$OLDPWD"
fi
exec mcp-lint check "$@"'

# Variables that pass into the container: what the configuration asks for, and the way to the network.
passed_names() {
    local name
    lines "${INPUT_ENV:-}"
    for name in HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy MCP_LINT_LOG; do
        if [[ -n ${!name:-} ]]; then
            printf '%s\n' "$name"
        fi
    done
    compgen -e | grep '^MCP_LINT_INPUT_' || true
}

# The folders of PATH that are there inside, each with a colon behind it.
own_path() {
    local folder folders
    IFS=: read -ra folders <<<"$PATH"
    for folder in "${folders[@]}"; do
        case $folder in
            "$workspace"/* | "${RUNNER_TOOL_CACHE:-/nowhere}"/*) printf '%s:' "$folder" ;;
        esac
    done
}

on_host() (
    setup=${INPUT_SETUP:-}
    cd -- "$folder"
    # Nothing that is left is for a server.
    while read -r name; do unset "$name"; done < <(compgen -e | grep '^INPUT_')
    if [[ -n $setup ]]; then
        bash -eo pipefail -c "$setup" </dev/null || {
            echo "error: setup ended with exit code $?" >&2
            exit 2
        }
    fi
    cd -- "$workspace"
    exec "$kept/mcp-lint" check "${args[@]}"
)

# Runs something with its output made inert: the runner is told to take no commands until it hears a word
# that only this shell knows, and what looks like one is broken up all the same.
quietly() {
    local word code=0
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '::stop-commands::%s\n' "$word"
    # In front of the colons a runner takes blanks of any alphabet, so nothing but plain signs will do.
    "$@" 2>&1 </dev/null | LC_ALL=C sed -u -e 's/[[:cntrl:]]/ /g' -e 's/##\[/## [/g' -e 's/##vso\[/##vso [/g' -e 's/^\([^!-~]*\)::/\1: :/' || code=${PIPESTATUS[0]}
    printf '\n::%s::\n' "$word"
    return "$code"
}

# Whatever a server may have written there is not ours. No server is running any more.
empty_runner_files() {
    local file
    for file in "${runner_files[@]}"; do
        if [[ -f $file && ! -L $file ]]; then
            : >"$file"
        fi
    done
}

# hand_over CODE: files and outputs; new findings fail the job in the next step.
hand_over() {
    local code=$1 report='' sarif=''
    case $code in
        0 | 1)
            report=$(placed report.json "${INPUT_REPORT_FILE:-}")
            sarif=$(placed report.sarif "${INPUT_SARIF_FILE:-}")
            ;;
        125 | 126 | 127) code=2 ;;
    esac
    handed_over=yes
    printf '%s\n' "exit-code=$code" "report-file=$report" "sarif-file=$sarif" >>"${runner_files[0]}"
    case $code in
        0 | 1) ;;
        2) fail "The check could not be carried out; its output says why." ;;
        *) exit "$code" ;;
    esac
}

# placed FILE TARGET: where a file of ours is to be found. A link is not ours.
placed() {
    local made=$kept/out/$1 target=$2
    if [[ -L $made || ! -f $made ]]; then
        echo "error: the check has left no $1" >&2
        return
    fi
    if [[ -z $target ]]; then
        printf '%s\n' "$made"
        return
    fi
    target=${target//[$'\r\n']/}
    [[ $target == /* ]] || target=$workspace/$target
    mkdir -p -- "$(dirname -- "$target")"
    cp --remove-destination -- "$made" "$target"
    printf '%s\n' "$target"
}

if [[ ${MCP_LINT_ACTION:-} != started ]]; then
    start_again_without_secrets
fi
main
