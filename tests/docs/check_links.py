"""Every relative link of a document leads to a file, and to a heading of it where it names one."""

import argparse
import pathlib
import re
import sys

LINK = re.compile(r'\]\(([^)\s]+)\)')
CODE = re.compile(r'^```.*?^```$|`[^`\n]*`', re.M | re.S)
HEADING = re.compile(r'^#+ +(.*)$', re.M)


def anchors(text):
    """As GitHub makes them: lower case, punctuation gone, spaces as dashes."""
    plain = (re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading) for heading in HEADING.findall(text))
    return {re.sub(r'[^\w\- ]', '', heading.lower()).strip().replace(' ', '-') for heading in plain}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--top', type=pathlib.Path, required=True)
    parser.add_argument('documents', nargs='+', help='patterns, from the top')
    args = parser.parse_args()
    wrong, seen = [], 0
    for path in [path for pattern in args.documents for path in sorted(args.top.glob(pattern))]:
        for link in LINK.findall(CODE.sub('', path.read_text())):
            if '://' in link or link.startswith('mailto:'):
                continue
            seen += 1
            file, _, anchor = link.partition('#')
            target = (path.parent / file).resolve() if file else path
            if not target.exists():
                wrong.append(f'{path.relative_to(args.top)}: {link}: there is no such file')
            elif anchor and anchor not in anchors(CODE.sub(lambda code: code[0] if code[0][1] != '`' else '', target.read_text())):
                wrong.append(f'{path.relative_to(args.top)}: {link}: there is no such heading')
    print('\n'.join(wrong) or f'{seen} links lead somewhere')
    return 1 if wrong or seen == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
