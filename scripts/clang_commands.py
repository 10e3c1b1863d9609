"""Writes build/clang/compile_commands.json: how clang compiles the preset dev. Prints the files of host/, plugins/ and sdk/.

Removes what clang does not support: gcc's options, and headers that gcc has precompiled. Files that CMake compiles as one
unit are one file here; programs that only test are left out. Run from the top of the tree, after `cmake --preset dev`.
"""

import json
import pathlib
import re

BUILD = pathlib.Path('build/dev').resolve()
GCC_ONLY = re.compile(r' -fno-gnu-unique| --param=ggc-min-heapsize=\d+| -Winvalid-pch| -include \S*/cmake_pch\.\S+')
SHIPPED = re.compile(r' -o (?:host|plugins|sdk)/\S*/CMakeFiles/\S+(?<!_test)\.dir/\S+')


def main():
    commands = json.loads((BUILD / 'compile_commands.json').read_text())
    for command in commands:
        command['command'] = GCC_ONLY.sub('', command['command'])
    folder = pathlib.Path('build/clang')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'compile_commands.json').write_text(json.dumps(commands, indent=0))
    for command in commands:
        if SHIPPED.search(command['command']) and command['file'].endswith(('.cc', '.cxx')) and 'cmake_pch' not in command['file']:
            print(command['file'])


if __name__ == '__main__':
    main()
