# What is used is what Docker 20.10 can build: no frontend to fetch, no heredocs, no linked copies.
ARG RUST_IMAGE=rust:1.95-slim-trixie
ARG UV_IMAGE=ghcr.io/astral-sh/uv:0.13.9
ARG RUN_IMAGE=node:24-trixie-slim
# The stage that holds the program: it is compiled, unless an image that has it ready is named.
ARG PROGRAM=build

FROM ${RUST_IMAGE} AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY core core
COPY scripted-server scripted-server
COPY src src
COPY xtask xtask
# Static, so that the same file runs on any Linux.
# hadolint ignore=DL4006
RUN target="$(rustc -vV | sed -n 's/^host: //p')" \
 && RUSTFLAGS="-C target-feature=+crt-static" cargo build --release --locked --package mcp-lint --bin mcp-lint --target "$target" \
 && mkdir /out \
 && cp "target/$target/release/mcp-lint" /out/

# hadolint ignore=DL3006
FROM ${UV_IMAGE} AS uv

# hadolint ignore=DL3006
FROM ${PROGRAM} AS program

# hadolint ignore=DL3006
FROM ${RUN_IMAGE}
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git python3 python3-venv tini \
 && rm -rf /var/lib/apt/lists/* \
 && mkdir --mode=1777 /home/anyone
COPY --from=uv /uv /uvx /usr/local/bin/
COPY --from=program /out/mcp-lint /usr/local/bin/mcp-lint
# Any user may be the one that runs it, and needs a home for the caches of package runners.
ENV HOME=/home/anyone MCP_LINT_CONTAINER=1 TINI_SUBREAPER=1
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="mcp-lint" \
      org.opencontainers.image.description="Checks what an MCP server says on the wire, before an agent sees its tools" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.source="https://github.com/org/mcp-lint-action" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENTRYPOINT ["tini", "-g", "--", "mcp-lint"]
CMD ["check"]
