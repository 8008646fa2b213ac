# Shared by the steps of the action; to be sourced.
# shellcheck shell=bash

# The image of this release: by digest in a release, by tag on main.
image() {
    if [[ -n ${INPUT_IMAGE:-} ]]; then
        printf '%s\n' "$INPUT_IMAGE"
    elif [[ -n ${INPUT_VERSION:-} ]]; then
        printf 'ghcr.io/org/mcp-lint:%s\n' "${INPUT_VERSION#v}"
    else
        head -n 1 -- "${here:?}/image"
    fi
}

# take_binary IMAGE FOLDER: the program out of the image; it is static, so it runs on any Linux.
take_binary() {
    local id
    command -v docker >/dev/null || fail "There is no docker here, and the program comes out of a container image."
    id=$(docker create --network none "$1") || fail "The image $1 cannot be had."
    docker cp --quiet "$id:/usr/local/bin/mcp-lint" "$2/mcp-lint" 2>/dev/null ||
        docker cp "$id:/usr/local/bin/mcp-lint" "$2/mcp-lint" >/dev/null
    docker rm "$id" >/dev/null
}

# below PATH: a path from the folder that is checked, as a path from the workspace.
below() {
    local folder=${INPUT_WORKING_DIRECTORY:-.}
    if [[ $1 == /* || $folder == . ]]; then
        printf '%s\n' "$1"
    else
        printf '%s/%s\n' "${folder%/}" "$1"
    fi
}

# option NAME VALUE: an option of the program, in args, if it has a value.
option() {
    if [[ -n $2 ]]; then
        args+=("$1=$2")
    fi
}

# Each line of a text that is not empty, without the blanks around it.
lines() {
    sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^$/d' <<<"$1"
}

# One of ours, so what it says is escaped as the runner wants it.
fail() {
    local text=${1//'%'/'%25'}
    text=${text//$'\r'/'%0D'}
    printf '::error title=mcp-lint::%s\n' "${text//$'\n'/'%0A'}" >&2
    exit 2
}
