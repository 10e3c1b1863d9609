"""Writes the manual pages of all programs from what their --help prints, or checks them (--check).

Usage: docs/man/generate.py [--check] BIN, where BIN is the folder with the programs.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGES = {'berth-scheduler': 8, 'berth-controllers': 8, 'berthctl': 1}
COLUMN = 30  # of descriptions; one whose name is too long for it stands on the next line
SEE_ALSO = {'berth-scheduler': 'berth-controllers(8), berthctl(1)', 'berth-controllers': 'berth-scheduler(8)',
            'berthctl': 'berth-scheduler(8)'}


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def escaped(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return '\\&' + text if text.startswith(('.', "'")) else text


def parsed(text):
    """The lines before "Usage:", the usage, and the sections: [(title, [[name, description], ...]), ...]."""
    before, usage, sections = [], '', []
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], '']):
        if line.startswith('Usage: '):
            usage = line.removeprefix('Usage: ')
        elif not usage:
            before.append(line)
        elif line.startswith(' ' * COLUMN):
            sections[-1][1][-1][1] = line.strip()
        elif line.startswith('  '):
            end = len(line) if following.startswith(' ' * COLUMN) else COLUMN
            sections[-1][1].append([line[:end].strip(), line[end:]])
        elif line.endswith(':'):
            sections.append((line[:-1], []))
        elif line.strip():
            raise SystemExit(f'generate.py does not understand this line of --help: {line!r}')
    return ' '.join(' '.join(before).split()), usage, sections


def entries(found, skipped=()):
    return [line for name, description in found if name not in skipped
            for line in ('.TP', f'.B {escaped(name)}', escaped(description))]


def command(program, words):
    """The part of the page about a command, then those about the commands below it."""
    about, usage, sections = parsed(run(program, *words, '--help'))
    lines = [f'.SS {escaped(" ".join([program.name, *words]))}', escaped(about), '.PP', f'.B {escaped(usage)}']
    below = []
    for title, found in sections:
        if title == 'Subcommands':
            below = [name for name, _ in found]
        else:
            lines += entries(found, ('-h,--help',))
    for name in below:
        lines += command(program, [*words, name])
    return lines


def page(program, section):
    about, usage, sections = parsed(run(program, '--help'))
    version = run(program, '--version').split()[-1].removeprefix('v')
    first = re.split(r'(?<=\.) ', about)[0].rstrip('.')
    lines = ['.\\" docs/man/generate.py writes this page from what the program prints for \\-\\-help.',
             f'.TH {program.name.upper()} {section} "" "Berth {version}" "Berth"',
             '.SH NAME', f'{escaped(program.name)} \\- {escaped(first)}',
             '.SH SYNOPSIS', f'.B {escaped(usage)}', '.SH DESCRIPTION', escaped(about)]
    commands = []
    for title, found in sections:
        if title == 'Subcommands':
            commands = [name for name, _ in found]
        elif found:
            lines += [f'.SH {escaped(title.upper())}', *entries(found)]
    if commands:
        lines.append('.SH COMMANDS')
        for name in commands:
            lines += command(program, [name])
    return '\n'.join([*lines, '.SH SEE ALSO', f'.BR {escaped(SEE_ALSO[program.name])}'.replace('(', ' (')]) + '\n'


def main():
    arguments = [a for a in sys.argv[1:] if a != '--check']
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    stale = []
    for name, section in PAGES.items():
        path = HERE / f'{name}.{section}'
        text = page(pathlib.Path(arguments[0]).resolve() / name, section)
        if '--check' not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(f'docs/man/{path.name}')
    if stale:
        raise SystemExit(f'not what --help prints: {", ".join(stale)}; run docs/man/generate.py build/dev/bin')


if __name__ == '__main__':
    main()
