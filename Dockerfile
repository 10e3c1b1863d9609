# Three images on Debian bookworm: `berth`, the programs with the plugins of this repository; `plugins`, those plugins alone for
# a plugin volume; and `sdk`, which builds plugins. scripts/image builds them.
FROM debian:bookworm-slim AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
WORKDIR /src
# The packages come first, in a separate layer, which does not change until scripts/lib.sh changes.
COPY scripts/lib.sh scripts/
RUN . scripts/lib.sh && need_packages "${build_packages[@]}"
COPY . .
RUN scripts/build && scripts/image_root build/release /image && \
    for component in sdk berthctl plugins; do \
      cmake --install build/release --component "$component" --prefix /opt/berth --strip; \
    done

# It has a shell and `install`, so that it can be used as an init container and as an image volume.
FROM debian:bookworm-slim AS plugins
COPY --from=build /image/plugins/opt/berth/lib/berth/plugins /plugins
USER 65532:65532

# Mount a plugin's source: docker run --rm -v "$PWD:/src" -w /src berth-sdk:TAG sh -c 'cmake -B build && cmake --build build'
FROM debian:bookworm-slim AS sdk
COPY --from=build /image/packages /tmp/packages
RUN apt-get update && DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends \
      ca-certificates cargo cmake g++ libgmock-dev ninja-build openssl </tmp/packages && \
    rm -rf /var/lib/apt/lists/* /tmp/packages
COPY --from=build /opt/berth /opt/berth
ENV PATH=/opt/berth/bin:$PATH CMAKE_PREFIX_PATH=/opt/berth CMAKE_GENERATOR=Ninja

# Neither a shell nor a user: as in the image of kube-scheduler, the manifest chooses the user. kubeadm's runs as root, because
# only root reads the kubeconfig of the node; all others of this repository run as 65532.
FROM scratch AS berth
COPY --from=build /image/base /
COPY --from=build /image/programs /
# The last layer has only the plugins: when a plugin changes, a node that has the programs pulls only this layer.
COPY --from=build /image/plugins /
ENV PATH=/opt/berth/bin:/usr/local/bin:/bin
ENTRYPOINT ["/opt/berth/bin/berth-scheduler"]
