"""Compiles the folders that use base/thread_annotations.h with clang -Wthread-safety: each guarded member only under its lock.

Syntax only, in parallel. Run from the top of the tree, after `cmake --preset dev` and scripts/clang_commands.py, whose output
it reads: the files to compile, one per line.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ANNOTATIONS = '#include "base/thread_annotations.h"'
COMPILER = re.compile(r'^.*?/(?:c\+\+|g\+\+\S*) ')
OUTPUT = re.compile(r' -o \S+ -c ')
CLANG = 'clang++-14 -fsyntax-only -Wno-everything -Wthread-safety -Werror '


def annotated(unit):
    """Whether a file beside one of the files of the unit includes the annotations."""
    files = re.findall(r'#include "(/[^"]+\.cc)"', unit.read_text()) or [str(unit)]
    return any(ANNOTATIONS in path.read_text() for folder in {pathlib.Path(f).parent for f in files}
               for path in folder.iterdir() if path.suffix in ('.cc', '.h'))


def check(command):
    text = CLANG + OUTPUT.sub(' ', COMPILER.sub('', command['command']))
    return subprocess.run(text, shell=True, cwd=command['directory'], capture_output=True, text=True)


def main():
    shipped = set(sys.stdin.read().split())
    commands = json.loads(pathlib.Path('build/clang/compile_commands.json').read_text())
    chosen = [c for c in commands if c['file'] in shipped and annotated(pathlib.Path(c['file']))]
    if not chosen:
        print('check_thread_safety: no folder includes base/thread_annotations.h', file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, chosen))
    for result in results:
        print(result.stderr, end='', file=sys.stderr)
    return 1 if any(result.returncode for result in results) else 0


if __name__ == '__main__':
    sys.exit(main())
