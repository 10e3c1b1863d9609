"""Runs the ```sh blocks of each document in order, in one shell that starts at the top of the source tree, and compiles the ```cpp
blocks that are a complete plugin.

The output of a ```sh block must contain the ```text block that follows it directly. ```console blocks need a cluster or much
time; this program does not run them. Two exceptions: build/release stands for the build under test, and scripts/quickstart and
scripts/test run with --help, because scripts/test runs this program.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S)


class Block(NamedTuple):
    place: str
    language: str
    text: str
    follows: bool  # only blank lines are between it and the previous block


def blocks(top, path):
    text, end, found = path.read_text(), 0, []
    for match in BLOCK.finditer(text):
        line = text.count('\n', 0, match.start()) + 1
        found.append(Block(f'{path.relative_to(top)}:{line}', match[1], match[2], not text[end:match.start()].strip()))
        end = match.end()
    return found


def commands(block, build):
    text = block.text.replace('build/release', str(build))
    return re.sub(r'^scripts/(quickstart|test)\b.*$', r'scripts/\1 --help', text, flags=re.M)


def only_writes_files(block):
    rest = re.sub(r"^cat > \S+ <<'EOF'\n.*?^EOF\n", '', block.text, flags=re.M | re.S)
    return not rest.strip()


def run_shell(steps, top, build):
    """Runs the blocks up to the first that fails. Returns their outputs, and a text for each block that is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / 'tmp').mkdir()
        script = ['set -euo pipefail', f'export TMPDIR={scratch}/tmp']
        for i, block in enumerate(steps):
            script += [f'exec >{scratch}/{i} 2>&1', commands(block, build)]
        done = subprocess.run(['bash', '-c', '\n'.join(script)], cwd=top, stdin=subprocess.DEVNULL)
        outputs = [(scratch / str(i)).read_text() for i in range(len(steps)) if (scratch / str(i)).exists()]
    if done.returncode != 0:
        block = steps[len(outputs) - 1]
        return outputs, [f'{block.place}: exit code {done.returncode}\n{commands(block, build)}\n{outputs[-1]}']
    return outputs, [f'{block.place}: the commands print nothing\n{block.text}'
                     for block, output in zip(steps, outputs) if not output.strip() and not only_writes_files(block)]


def compile_cpp(block, top, cxx):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / 'plugin.cc'
        source.write_text(block.text)
        done = subprocess.run([cxx, '-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', f'-I{top}/sdk/cpp',
                               f'-I{top}/sdk/include', str(source)], capture_output=True, text=True)
    return [] if done.returncode == 0 else [f'{block.place}: does not compile\n{done.stderr}']


def check(top, path, build, cxx):
    """Checks the blocks of a document. Returns how many it checked, and a text for each that is wrong."""
    found = blocks(top, path)
    steps = [block for block in found if block.language == 'sh']
    outputs, wrong = run_shell(steps, top, build) if steps else ([], [])
    for before, block in zip(found, found[1:]):
        if block.language != 'text' or before.language != 'sh' or not block.follows:
            continue
        i = steps.index(before)
        if i < len(outputs) and block.text not in outputs[i]:
            wrong.append(f'{block.place}: the commands before it print a different text:\n{outputs[i]}')
    plugins = [block for block in found if block.language == 'cpp' and 'BERTH_PLUGIN' in block.text]
    for block in plugins:
        wrong += compile_cpp(block, top, cxx)
    return len(steps) + len(plugins), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--top', type=pathlib.Path, required=True)
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--cxx', required=True)
    parser.add_argument('documents', nargs='+', help='patterns, relative to the top')
    args = parser.parse_args()
    wrong, seen = [], 0
    for path in [path for pattern in args.documents for path in sorted(args.top.glob(pattern))]:
        n, more = check(args.top, path, args.build, args.cxx)
        seen += n
        wrong += more
    print('\n'.join(wrong) or f'{seen} blocks ran')
    return 1 if wrong or seen == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
