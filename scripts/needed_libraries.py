#!/usr/bin/env python3
"""Prints the shared libraries that programs and libraries need, directly or through each other, and their loader.

Usage: needed_libraries.py ROOT FILE...

ROOT is a Debian file system, / or what scripts/sysroot writes; it may be of another architecture, because nothing runs. Each line
is a path in ROOT. A name that ROOT does not have is an error.
"""
import pathlib
import re
import subprocess
import sys

FACT = re.compile(r"Shared library: \[(?P<library>.+)\]|program interpreter: (?P<loader>/.+)\]|Machine: +(?P<machine>.+)")


def facts(file):
    """The machine that an ELF file is for, and what it needs: a name, or the path of the loader."""
    text = subprocess.run(["readelf", "-hldW", file], check=True, capture_output=True, text=True).stdout
    found = list(FACT.finditer(text))
    machine = next(match["machine"] for match in found if match["machine"])
    return machine, [match["library"] or match["loader"] for match in found if not match["machine"]]


def find(root, name, machine):
    """Where the loader finds the name: in the folders of Debian's architecture."""
    places = [root / name[1:]] if name.startswith("/") else sorted(root.glob(f"lib/*-linux-gnu/{name}"))
    return next((place for place in places if place.exists() and facts(place)[0] == machine), None)


def main():
    root, waiting = pathlib.Path(sys.argv[1]).resolve(strict=True), sys.argv[2:]
    known = {}
    while waiting:
        machine, needs = facts(waiting.pop())
        for name in needs:
            if name in known:
                continue
            place = known[name] = find(root, name, machine)
            if place is None:
                sys.exit(f"needed_libraries: {root} has no {name} for {machine}")
            waiting.append(place)
    # The loader has two names: that of the programs, which counts, and that of libraries.
    loaders = {place.resolve() for name, place in known.items() if name.startswith("/")}
    for name, place in sorted(known.items()):
        if name.startswith("/") or place.resolve() not in loaders:
            print("/" + str(place.relative_to(root)))


if __name__ == "__main__":
    main()
