"""Proves what the build cannot: that includes follow the arrows, and that third-party headers have one owner.

host/CMakeLists.txt lists the groups of folders, lowest first: a folder may include folders of its group and of lower
groups. Each folder names in its CMakeLists.txt exactly the folders that it includes directly (DEPS); the arrows must not run
in a circle. Plugins include the SDK and plugins/common, the SDK includes itself. Run from the top of the tree.
--arrows prints every folder with the folders that it includes. --fix rewrites DEPS to what the files include.
"""

import pathlib
import sys

from host_tree import HOST, circle, declared, fix, groups, included, includes, level, sources

# Header prefix -> the folder that may include it.
OWNERS = {
    'nlohmann/': 'host/codec/json', 'simdjson': 'host/api', 'protozero/': 'host/api/protobuf', 'yaml-cpp/': 'host/codec/yaml', 'boost/dll': 'host/plugin/loader',
    'glog/': 'host/telemetry/log', 'openssl/': 'host/os/crypto', 'CLI/': 'host/config/flags', 'tl/': 'host/base',
    'cpprest/': 'host/client/http', 'pplx/': 'host/client/http', 'boost/asio': 'host/client/http',
    'boost/beast': 'host/client/http', 'nghttp2/': 'host/client/http2', 'prometheus/': 'host/telemetry/metrics',
}
# Test libraries, which live in tests only.
TESTING = ('gtest/', 'gmock/', 'benchmark/')


def check_direct(deps, real, complain):
    for folder in sorted(real):
        named = deps.get(folder, set())
        for other in sorted(set(real[folder]) - named):
            complain(f'{real[folder][other]}, and host/{folder}/CMakeLists.txt does not name {other}')
        for other in sorted(named - set(real[folder])):
            complain(f'host/{folder}/CMakeLists.txt names {other}, and no file of it includes that')


def check_levels(deps, complain):
    order = groups()
    for folder in sorted(deps):
        if level(order, folder) < 0:
            complain(f'host/{folder} is in no group of host/CMakeLists.txt')
        for other in sorted(deps[folder]):
            if level(order, other) > level(order, folder):
                complain(f'host/{folder} includes {other}, whose group is higher')


def check_owners(complain):
    for folder in ('host', 'sdk', 'plugins'):
        for path in sources(folder):
            for name in includes(path):
                for prefix, owner in OWNERS.items():
                    if name.startswith(prefix) and not str(path).startswith(owner + '/'):
                        complain(f'{path} includes {name}, which belongs to {owner}')
                if name.startswith(TESTING) and not path.stem.endswith('_test') and folder == 'host':
                    complain(f'{path} includes {name}, which belongs to tests')


def check_plugins(folders, complain):
    for folder in ('plugins', 'sdk'):
        for path in sources(folder):
            for name in includes(path):
                if str(pathlib.PurePosixPath(name).parent) in folders:
                    complain(f'{path} includes {name} of the host')


def check_names(complain):
    """No two headers of one name in host/: a reader of `child.h` must know which one it is."""
    seen = {}
    for path in sources(HOST):
        if path.suffix == '.h':
            if path.name in seen:
                complain(f'{path} and {seen[path.name]} have the same name')
            seen[path.name] = path


def check_mirror(folders, complain):
    """tests/unit mirrors host/."""
    for path in sorted(pathlib.Path('tests/unit').glob('**/CMakeLists.txt')):
        folder = str(path.parent.relative_to('tests/unit'))
        if folder not in folders:
            complain(f'tests/unit/{folder} mirrors no folder of host/')


def main():
    real = included()
    if '--fix' in sys.argv:
        fix(real)
    deps = declared()
    if '--arrows' in sys.argv:
        order = groups()
        for folder in sorted(real, key=lambda f: (level(order, f), f)):
            print(folder, '->', ' '.join(sorted(real[folder], key=lambda f: (level(order, f), f))) or 'nothing')
    wrong = []
    if (round_trip := circle(deps)):
        wrong.append('the arrows of host/ run in a circle: ' + ' -> '.join(round_trip))
    check_direct(deps, real, wrong.append)
    check_levels(deps, wrong.append)
    check_owners(wrong.append)
    check_plugins(set(real), wrong.append)
    check_names(wrong.append)
    check_mirror(set(real), wrong.append)
    for line in wrong:
        print('check_includes:', line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
