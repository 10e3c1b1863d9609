#!/usr/bin/env bash
# check_debian.sh runs this inside of the new Debian, as root, with the packages in /packages. It does what an administrator and
# an author of plugins do.
set -euo pipefail
fail() { echo "in_debian: $1" >&2 && exit 1; }
quietly() {
  "$@" >/tmp/quietly.log 2>&1 || { tail -40 /tmp/quietly.log >&2 && fail "failed: $*"; }
}
step() { echo "$1 ($SECONDS s)"; }
packages() { printf '/packages/%s_*.deb\n' "$@"; }
# The existing files of packages, one per line; folders belong to no package.
left_of() {
  local package
  for package in "$@"; do dpkg-deb --fsys-tarfile "/packages/$package"_*.deb | tar -t | grep -v '/$' | sed 's/^\.//'; done |
    sort -u | while read -r file; do [[ ! -e $file && ! -L $file ]] || echo "$file"; done
}

quietly apt-get update
before=$(printf 'berth\nberth-plugins\n' && dpkg-query -W -f '${Package}\n')
step "installs berth and berth-plugins"
quietly apt-get install -y --no-install-recommends $(packages berth berth-plugins)
echo "Debian adds: $(dpkg-query -W -f '${Package}\n' | grep -vxF "$before" | tr '\n' ' ')"
[[ $(berth-scheduler --version) == *"$(dpkg-query -W -f '${Version}' berth)"* ]] || fail "berth-scheduler says $(berth-scheduler --version)"
[[ $(getent passwd berth) == berth:*:/var/lib/berth:* ]] || fail "there is no user berth: $(getent passwd berth)"
berthctl config check --config /etc/berth/scheduler-config.yaml
for scenario in /tests/scenarios/*/; do
  [[ ! -e $scenario/expected.txt ]] || /tests/scenarios/run.sh /usr/bin/berthctl "$scenario" || fail "$scenario ends otherwise"
done

step "installs berth-sdk with the compiler that it recommends"
quietly apt-get install -y $(packages berth-sdk)
quietly /tests/external_plugin/new_plugin.sh /usr/bin/cmake /usr cpp /tmp/plugin ''
grep -E 'tests passed|validate|sound' /tmp/quietly.log || true

step "looks at the service"
quietly apt-get install -y --no-install-recommends systemd
echo 'kind: Config' >/etc/berth/kubeconfig
quietly systemd-analyze verify --man=no berth-scheduler.service
[[ ! -s /tmp/quietly.log ]] || fail "systemd-analyze: $(cat /tmp/quietly.log)"
rm /etc/berth/kubeconfig

step "removes the packages, and purges them"
mkdir -p /var/lib/berth/crashes
quietly apt-get remove -y berth berth-plugins berth-sdk
diff <(left_of berth berth-plugins berth-sdk) <(dpkg-deb -I /packages/berth_*.deb conffiles | sort) ||
  fail "after a removal other files are left than the configuration"
[[ -d /var/lib/berth/crashes ]] || fail "a removal removes the state directory"
quietly apt-get purge -y berth berth-plugins berth-sdk
[[ -z $(left_of berth berth-plugins berth-sdk) ]] || fail "a purge leaves $(left_of berth berth-plugins berth-sdk)"
for folder in /etc/berth /var/lib/berth /usr/lib/berth /usr/share/berth /usr/include/berth; do
  [[ ! -e $folder ]] || fail "a purge leaves $folder: $(find "$folder" | head)"
done

step "installs with dpkg, where systemd-sysusers creates the user, and upgrades"
quietly userdel berth
quietly dpkg -i $(packages berth berth-plugins)
[[ $(getent passwd berth) == berth:*:/var/lib/berth:* ]] || fail "systemd-sysusers makes no user berth: $(getent passwd berth)"
echo '# of the administrator' >>/etc/default/berth-scheduler
quietly dpkg -i $(packages berth berth-plugins)
grep -q 'of the administrator' /etc/default/berth-scheduler || fail "an upgrade replaces what the administrator has written"
step done
