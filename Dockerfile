# Two images on Debian bookworm: `berth`, the programs with the plugins of this repository, and `plugins`, those plugins
# alone for a plugin volume. scripts/image builds both.
FROM debian:bookworm-slim AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
WORKDIR /src
# The packages alone first: this layer stays as it is until scripts/lib.sh changes.
COPY scripts/lib.sh scripts/
RUN . scripts/lib.sh && need_packages "${build_packages[@]}"
COPY . .
RUN scripts/build && for component in berthctl berth-scheduler; do \
      cmake --install build/release --component "$component" --prefix /opt/berth --strip; \
    done
# What has to be installed beside them: the packages of every library that a program or a plugin is linked to.
RUN find /opt/berth -type f -exec ldd {} + | awk '$2 == "=>" { print "*/" $1 }' | sort -u | xargs dpkg -S | \
    cut -d: -f1 | sort -u >/opt/runtime-packages

# With a shell and cp, so that it serves an init container as well as an image volume.
FROM debian:bookworm-slim AS plugins
COPY --from=build /opt/berth/lib/berth/plugins /plugins
USER 65532:65532

FROM debian:bookworm-slim AS berth
COPY --from=build /opt/runtime-packages /opt/runtime-packages
RUN apt-get update && xargs apt-get install -y --no-install-recommends </opt/runtime-packages && \
    rm -rf /var/lib/apt/lists/* /opt/runtime-packages
COPY LICENSE /opt/berth/share/doc/berth/
COPY --from=build /opt/berth/bin /opt/berth/bin
# Last and alone: who has the programs already fetches only this layer when a plugin changes.
COPY --from=build /opt/berth/lib/berth/plugins /opt/berth/lib/berth/plugins
ENV PATH=/opt/berth/bin:$PATH
USER 65532:65532
ENTRYPOINT ["/opt/berth/bin/berth-scheduler"]
