"""Reads the folders of host/: what their CMakeLists.txt declare, what their files include, and the groups, lowest first."""

import pathlib
import re

HOST = pathlib.Path('host')
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)
DEPS = re.compile(r'(berth_host_library|berth_link_host)\(\s*([\w/-]+)(?:\s+DEPS\s+([\w/\s-]+?))?(\s+LIBS\s+[^)]*)?\)')
GROUPS = re.compile(r'set\(BERTH_HOST_GROUPS ([^)]*)\)')


def sources(folder):
    return [p for p in sorted(pathlib.Path(folder).rglob('*')) if p.suffix in ('.cc', '.h', '.hpp', '.c')]


def includes(path):
    return INCLUDE.findall(path.read_text())


def folder_of(path):
    return str(path.parent.relative_to(HOST))


def declared():
    """Folder -> the folders that its CMakeLists.txt names."""
    found = {}
    for cmake in sorted(HOST.glob('*/**/CMakeLists.txt')):
        match = DEPS.search(cmake.read_text())
        if match:
            found[folder_of(cmake)] = set((match[3] or '').split())
    return found


def included():
    """Folder -> {included folder: "file includes header"}."""
    files = sources(HOST)
    folders = {folder_of(p) for p in files}
    found = {folder: {} for folder in folders}
    for path in files:
        folder = folder_of(path)
        for name in includes(path):
            top = str(pathlib.PurePosixPath(name).parent)
            if name.startswith('berth/testing/'):
                top = 'sdk_testing'
            elif name.startswith('berth/'):
                top = 'sdk'
            elif top not in folders:
                continue
            if top != folder:
                found[folder].setdefault(top, f'{path} includes {name}')
    return found


def groups():
    return GROUPS.search((HOST / 'CMakeLists.txt').read_text())[1].split()


def level(order, folder):
    top = folder.split('/')[0]
    return order.index(top) if top in order else -1


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


def wrapped(call):
    lines, line = [], ''
    for word in call.split(' '):
        if line and len(line) + len(word) >= 118:
            lines.append(line)
            line = '  ' + word
        else:
            line = f'{line} {word}' if line else word
    return '\n'.join(lines + [line])


def fix(real):
    order = groups()
    for folder, others in real.items():
        cmake = HOST / folder / 'CMakeLists.txt'
        text = cmake.read_text()
        match = DEPS.search(text)
        names = ' '.join(sorted(others, key=lambda other: (-level(order, other), other)))
        libs = re.sub(r'\s+', ' ', match[4] or '')
        cmake.write_text(text.replace(match[0], wrapped(f'{match[1]}({match[2]}{" DEPS " + names if names else ""}{libs})')))
