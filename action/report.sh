#!/usr/bin/env bash
# Publishes reports. Nothing of the repository runs here, so there may be a token.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
source "$here/common.sh"

# Reports of a matrix; more than this is no report of ours.
readonly most_bytes=$((64 << 20))

main() {
    local kept report code=0 args=()
    kept=$(mktemp -d "${RUNNER_TEMP:-/tmp}/mcp-lint.XXXXXXXX")
    cd -- "${GITHUB_WORKSPACE:-.}"
    MCP_LINT_TOKEN='' take_binary "$(image)" "$kept"
    report=$(one_report)
    option --annotations "${INPUT_ANNOTATIONS:-}"
    option --check-run "${INPUT_CHECK_RUN:-}"
    option --refresh-baseline "${INPUT_REFRESH_BASELINE:-}"
    option --upload-sarif "${INPUT_UPLOAD_SARIF:-false}"
    option --category "${INPUT_CATEGORY:-}"
    option --baseline "${INPUT_BASELINE:+$(below "$INPUT_BASELINE")}"
    option --fail-on "${INPUT_FAIL_ON:-}"
    "$kept/mcp-lint" report "$report" "${args[@]}" || code=$?
    exit "$code"
}

# The report, or several joined to one.
one_report() {
    local file files=() found code=0
    while read -r file; do
        # A pattern stands for the files that it fits.
        while read -r found; do files+=("$found"); done < <(compgen -G "$file" | LC_ALL=C sort)
    done < <(lines "${INPUT_REPORTS:-}")
    ((${#files[@]} > 0)) || fail "There is no report."
    for file in "${files[@]}"; do
        [[ -f $file && ! -L $file ]] || fail "A report is no file."
        (($(stat -c %s -- "$file") <= most_bytes)) || fail "A report is larger than a report can be."
    done
    if ((${#files[@]} == 1)); then
        printf '%s\n' "${files[0]}"
        return
    fi
    # New findings are no failure here: the report will say so.
    MCP_LINT_TOKEN='' "$kept/mcp-lint" merge "${files[@]}" ${INPUT_BASELINE:+"--baseline=$(below "$INPUT_BASELINE")"} \
        --output "json=$kept/merged.json" >/dev/null || code=$?
    ((code <= 1)) || fail "The reports cannot be joined."
    printf '%s\n' "$kept/merged.json"
}

main
