"""Runs every ```sh block of README.md and docs/*.md in order, and compiles every ```cpp block that is a whole plugin.

Two things are not taken literally: build/release is the build under test, and the README's two commands are only asked
for their --help, since one of them is what runs this.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S)


def blocks(top):
    for path in [top / 'README.md', *sorted((top / 'docs').glob('*.md'))]:
        text = path.read_text()
        for match in BLOCK.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            yield f'{path.relative_to(top)}:{line}', match[1], match[2]


def run_shell(place, block, top, build):
    block = block.replace('build/release', str(build))
    block = re.sub(r'^scripts/(quickstart|test)\b.*$', r'scripts/\1 --help', block, flags=re.M)
    done = subprocess.run(['bash', '-euo', 'pipefail', '-c', block], cwd=top, capture_output=True, text=True)
    if done.returncode != 0:
        return f'{place}: exit code {done.returncode}\n{block}\n{done.stdout}{done.stderr}'
    if not done.stdout.strip():
        return f'{place}: the commands print nothing\n{block}'
    return None


def compile_cpp(place, block, top, cxx):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / 'plugin.cc'
        source.write_text(block)
        done = subprocess.run([cxx, '-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', f'-I{top}/sdk/cpp',
                               f'-I{top}/sdk/include', str(source)], capture_output=True, text=True)
    return None if done.returncode == 0 else f'{place}: does not compile\n{done.stderr}'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--top', type=pathlib.Path, required=True)
    parser.add_argument('--build', type=pathlib.Path, required=True)
    parser.add_argument('--cxx', required=True)
    args = parser.parse_args()
    wrong, seen = [], 0
    for place, language, block in blocks(args.top):
        if language == 'sh':
            seen += 1
            wrong.append(run_shell(place, block, args.top, args.build))
        elif language == 'cpp' and 'BERTH_PLUGIN' in block:
            seen += 1
            wrong.append(compile_cpp(place, block, args.top, args.cxx))
    wrong = [w for w in wrong if w]
    print('\n'.join(wrong) or f'{seen} blocks ran')
    return 1 if wrong or seen == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
