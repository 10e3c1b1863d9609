"""Proves with clang -Wthread-safety that each guarded member is used only under its lock, and that every lock has annotations.

Compiles the folders that include an annotated mutex. Syntax only, in parallel. Run from the top of the tree, after
`cmake --preset dev` and scripts/clang_commands.py, whose output it reads: the files to compile, one per line.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from host_tree import sources

# The annotated mutexes of the host and of the SDK, and the header of the SDK that owns one.
ANNOTATED = re.compile(r'#include [<"](?:base/thread_annotations\.h|berth/mutex\.hpp|berth/preemption\.hpp)[>"]')
COMPILER = re.compile(r'^.*?/(?:c\+\+|g\+\+\S*) ')
OUTPUT = re.compile(r' -o \S+ -c ')
ONLY = ' -Wno-everything -Wthread-safety -Werror'  # last: it overrides the warnings of the command

# Types that clang cannot check. sdk/testing is for tests and may use them.
UNCHECKED = re.compile(r'std::(?:\w+_)?mutex\b|std::condition_variable\b|\bpthread_(?:mutex|rwlock|cond)_t\b')
SHIPPED = ('host', 'plugins', 'sdk/cpp')
TURN = 'whether there is a lock depends on the plugin, and one thread may take it twice: the analysis knows neither'
ALLOWED = {
    'host/base/thread_annotations.h': 'wraps the types',
    'sdk/cpp/berth/mutex.hpp': 'wraps the types',
    'host/plugin/instance/instance.h': TURN,
    'host/plugin/instance/instance.cc': TURN,
    'host/plugin/instance/plugin_call.h': TURN,
    'host/plugin/instance/plugin_call.cc': TURN,
}


def unchecked_locks():
    """What is wrong with the locks that the sources declare, one line each."""
    for folder in SHIPPED:
        for path in sources(folder):
            found = UNCHECKED.search(path.read_text())
            if path.stem.endswith('_test') or bool(found) == (str(path) in ALLOWED):
                continue
            if found:
                yield f'{path} uses {found[0]}: use the mutex of base/thread_annotations.h, or of berth/mutex.hpp in a plugin'
            else:
                yield f'{path} needs no exception any more: take it out of scripts/check_thread_safety.py'


def annotated(unit):
    """Whether a file beside one of the files of the unit includes an annotated mutex."""
    files = re.findall(r'#include "(/[^"]+\.cc)"', unit.read_text()) or [str(unit)]
    return any(ANNOTATED.search(path.read_text()) for folder in {pathlib.Path(f).parent for f in files}
               for path in folder.iterdir() if path.suffix in ('.cc', '.h'))


def check(command):
    text = 'clang++-14 -fsyntax-only ' + OUTPUT.sub(' ', COMPILER.sub('', command['command'])) + ONLY
    return subprocess.run(text, shell=True, cwd=command['directory'], capture_output=True, text=True)


def main():
    wrong = list(unchecked_locks())
    for line in wrong:
        print(f'check_thread_safety: {line}', file=sys.stderr)
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
    return 1 if wrong or any(result.returncode for result in results) else 0


if __name__ == '__main__':
    sys.exit(main())
