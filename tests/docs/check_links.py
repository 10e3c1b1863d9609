"""Checks that every relative link of a document leads to a file, and to a heading of that file if the link names one, and that
the table of contents links to every other document."""

import argparse
import pathlib
import re
import sys

LINK = re.compile(r'\]\(([^)\s]+)\)')
CODE = re.compile(r'^```.*?^```$|`[^`\n]*`', re.M | re.S)
HEADING = re.compile(r'^#+ +(.*)$', re.M)


def anchors(text):
    """The anchors of all headings, as GitHub makes them: lower case, no punctuation, dashes for spaces."""
    plain = (re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading) for heading in HEADING.findall(text))
    return {re.sub(r'[^\w\- ]', '', heading.lower()).strip().replace(' ', '-') for heading in plain}


def links(path):
    """The relative links of a document: the text of the link, the file that it leads to, the anchor or ''."""
    for link in LINK.findall(CODE.sub('', path.read_text())):
        if '://' in link or link.startswith('mailto:'):
            continue
        file, _, anchor = link.partition('#')
        yield link, (path.parent / file).resolve() if file else path.resolve(), anchor


def broken(path):
    """How many links the document has, and a sentence for each that leads nowhere."""
    wrong, seen = [], 0
    for link, target, anchor in links(path):
        seen += 1
        if not target.exists():
            wrong.append(f'{link}: the file does not exist')
        elif anchor and anchor not in anchors(CODE.sub(lambda code: code[0] if code[0][1] != '`' else '', target.read_text())):
            wrong.append(f'{link}: the heading does not exist')
    return seen, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--top', type=pathlib.Path, required=True, help='top of the source tree')
    parser.add_argument('--contents', type=pathlib.Path, help='the table of contents, relative to the top')
    parser.add_argument('documents', nargs='+', help='patterns, relative to the top')
    args = parser.parse_args()
    documents = [path for pattern in args.documents for path in sorted(args.top.glob(pattern))]
    wrong, seen = [], 0
    for path in documents:
        n, problems = broken(path)
        seen += n
        wrong += [f'{path.relative_to(args.top)}: {problem}' for problem in problems]
    if args.contents:
        contents = args.top / args.contents
        listed = {target for _, target, _ in links(contents)} | {contents.resolve()}
        wrong += [f'{args.contents}: no link to {path.relative_to(args.top)}' for path in documents if path.resolve() not in listed]
    print('\n'.join(wrong) or f'{len(documents)} documents, {seen} links')
    return 1 if wrong or seen == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
