"""Proves what the build cannot: that includes follow the arrows, and that third-party headers have one owner.

Each host folder names in its CMakeLists.txt the folders it may include (DEPS); the arrows must not run in a circle.
Plugins include the SDK and plugins/common, the SDK includes itself. Run from the top of the tree.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)
DEPS = re.compile(r'berth_host_library\(\s*(\w+)(?:\s+DEPS\s+([\w\s]+?))?(?:\s+LIBS\s+[^)]*)?\)')
# Header prefix -> the folder that may include it.
OWNERS = {
    'nlohmann/': 'host/json', 'simdjson': 'host/api', 'yaml-cpp/': 'host/config', 'boost/dll': 'host/loader',
    'glog/': 'host/log', 'openssl/': 'host/crypto', 'CLI/': 'host/flags', 'tl/': 'host/base', 'cpprest/': 'host/http',
    'pplx/': 'host/http', 'boost/asio': 'host/http', 'boost/beast': 'host/http',
    'prometheus/': 'host/metrics',
}
# Test libraries, which live in tests only.
TESTING = ('gtest/', 'gmock/', 'benchmark/')


def sources(folder):
    return [p for p in sorted(pathlib.Path(folder).rglob('*')) if p.suffix in ('.cc', '.h', '.hpp', '.c')]


def includes(path):
    return INCLUDE.findall(path.read_text())


def arrows():
    found = {}
    for cmake in sorted(pathlib.Path('host').glob('*/CMakeLists.txt')):
        match = DEPS.search(cmake.read_text())
        if match:
            found[match[1]] = set((match[2] or '').split())
    return found


def circle(deps):
    state = {}

    def visit(folder, path):
        if state.get(folder) == 'done':
            return None
        if state.get(folder) == 'open':
            return path[path.index(folder):] + [folder]
        state[folder] = 'open'
        for dep in sorted(deps.get(folder, ())):
            if (round_trip := visit(dep, path + [folder])):
                return round_trip
        state[folder] = 'done'
        return None

    for folder in deps:
        if (round_trip := visit(folder, [])):
            return round_trip
    return None


def check_host(deps, complain):
    folders = {p.parent.name for p in pathlib.Path('host').glob('*/CMakeLists.txt')}
    for path in sources('host'):
        folder = path.parts[1]
        if folder not in deps:  # a program: wiring may use everything
            continue
        for name in includes(path):
            top = name.split('/')[0]
            if top == 'berth':
                if not reaches(deps, folder, 'sdk'):
                    complain(f'{path} includes {name}, and host/{folder} has no arrow to sdk')
            elif top in folders and top != folder and top not in deps[folder] and not reaches(deps, folder, top):
                complain(f'{path} includes {name}, and host/{folder} has no arrow to host/{top}')


def reaches(deps, folder, wanted):
    seen, todo = set(), [folder]
    while todo:
        for dep in deps.get(todo.pop(), ()):
            if dep == wanted:
                return True
            if dep not in seen:
                seen.add(dep)
                todo.append(dep)
    return False


def check_owners(complain):
    for folder in ('host', 'sdk', 'plugins'):
        for path in sources(folder):
            for name in includes(path):
                for prefix, owner in OWNERS.items():
                    if name.startswith(prefix) and not str(path).startswith(owner + '/'):
                        complain(f'{path} includes {name}, which belongs to {owner}')
                if name.startswith(TESTING) and not path.stem.endswith('_test') and folder == 'host':
                    complain(f'{path} includes {name}, which belongs to tests')


def check_plugins(complain):
    host = {p.name for p in pathlib.Path('host').iterdir() if p.is_dir()}
    for folder in ('plugins', 'sdk'):
        for path in sources(folder):
            for name in includes(path):
                if '/' in name and name.split('/')[0] in host:
                    complain(f'{path} includes {name} of the host')


def main():
    wrong = []
    deps = arrows()
    if (round_trip := circle(deps)):
        wrong.append('the arrows of host/ run in a circle: ' + ' -> '.join(round_trip))
    check_host(deps, wrong.append)
    check_owners(wrong.append)
    check_plugins(wrong.append)
    for line in wrong:
        print('check_includes:', line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
