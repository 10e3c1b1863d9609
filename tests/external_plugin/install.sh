#!/usr/bin/env bash
# install.sh CMAKE BUILD PREFIX: installs what an external developer has: the SDK, berthctl, and Berth's own plugins.
set -euo pipefail
cmake=$1 build=$2 prefix=$3
rm -rf "$prefix"
for component in sdk berthctl plugins; do
  "$cmake" --install "$build" --component "$component" --prefix "$prefix"
done
