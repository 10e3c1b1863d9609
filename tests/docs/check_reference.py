"""Compares docs/plugins/abi.md with the headers. Every function pointer of every table, every function, and every function type
has one row, with the version of its header ("since 1.1" in the first line, else 1.0) or `draft`. The page names every id. Every
row and every id on the page is in a header."""

import argparse
import pathlib
import re
import sys

STRUCT = re.compile(r'(?:typedef )?struct (\w+) \{(.*?)\n?\}', re.S)
MEMBER = re.compile(r'\(\*(\w+)\)\(')
FUNCTION_TYPE = re.compile(r'^typedef [^;{]*?\(\*(\w+)\)\(', re.M)
EXPORT = re.compile(r'^BERTH_EXPORT .*?(\w+)\(', re.M)
SINCE = re.compile(r'/\* berth/\w+\.h \(since (\d+\.\d+)\)')
ID = re.compile(r'^#define \w+ "(berth\.[\w.]+/\d+)"', re.M)
ROW = re.compile(r'^\| `([\w.]+)` \|(.*)\|$', re.M)


def functions(text):
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    found = FUNCTION_TYPE.findall(text) + EXPORT.findall(text)
    for name, body in STRUCT.findall(text):
        # The first pointer of a member is the member itself; the others are parameters.
        found += [f'{name}.{member[1]}' for part in body.split(';') if (member := MEMBER.search(part))]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--headers', type=pathlib.Path, required=True, help='sdk/include/berth')
    parser.add_argument('--reference', type=pathlib.Path, required=True)
    args = parser.parse_args()
    since, ids = {}, set()
    for header in args.headers.rglob('*.h'):
        text = header.read_text()
        newer = SINCE.match(text)
        version = 'draft' if header.parent.name == 'draft' else newer[1] if newer else '1.0'
        since |= {name: version for name in functions(text)}
        ids |= set(ID.findall(text))
    reference = args.reference.read_text()
    wrong, rows = [], {}
    for name, rest in ROW.findall(reference):
        cells = [cell.strip() for cell in rest.split(' |')]
        if '/' in name or len(cells) < 4:
            continue
        if name in rows:
            wrong.append(f'{name} has two rows')
        rows[name] = cells[-1]
    wrong += [f'{name} has no row' for name in since.keys() - rows.keys()]
    wrong += [f'{name} has a row, but is in no header' for name in rows.keys() - since.keys()]
    wrong += [f'{name} is {since[name]}, but its row says {told}' for name, told in rows.items()
              if name in since and since[name] != told]
    wrong += [f'{id} is missing on the page' for id in ids if f'`{id}`' not in reference]
    wrong += [f'{id} is on the page, but in no header' for id in set(re.findall(r'`(berth\.[\w.]+/\d+)`', reference)) - ids]
    print('\n'.join(sorted(wrong)) or f'{len(rows)} functions, {len(ids)} ids')
    return 1 if wrong or not since or not ids else 0


if __name__ == '__main__':
    sys.exit(main())
