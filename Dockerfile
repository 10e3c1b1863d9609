# berthctl and the plugins on Debian bookworm. Build: docker build -t berth .
FROM debian:bookworm AS build
WORKDIR /src
COPY . .
RUN scripts/build && cmake --install build/release --component berthctl --prefix /opt/berth --strip

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libgoogle-glog0v6 libyaml-cpp0.7 libssl3 libsimdjson14 && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/berth /opt/berth
ENV PATH=/opt/berth/bin:$PATH
USER 65532:65532
ENTRYPOINT ["berthctl"]
