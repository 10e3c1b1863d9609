#!/usr/bin/env python3
"""The layout of the stable plugin ABI, written down and compared.

  abi_tool.py dump                 prints what the headers say now
  abi_tool.py check                compares with v1.dump; exit 1 unless every change is an addition that policy allows
  abi_tool.py update               writes v1.dump and berth/layout.h; refuses every other change
  abi_tool.py layout               prints berth/layout.h as it belongs to v1.dump

Options: --include DIR (the headers), --golden FILE, --cc COMPILER. Needs a C compiler for a 64-bit target and nothing else:
declarations are read from the preprocessed berth/berth.h, sizes and values come from a small C program made from them. A
declaration this reader does not know is an error, never skipped. What may change: POLICY.md.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Whatever is passed or returned by value is frozen as well; that is found out from the signatures.
FROZEN = {"berth_str", "berth_kv", "berth_verdict"}
MAY_GROW = {"BERTH_ABI_MINOR"}


class AbiError(Exception):
    pass


# ---- reading declarations ---------------------------------------------------------------------------------------------


def preprocess(cc, include, *flags):
    source = '#include "berth/berth.h"\n'
    run = subprocess.run([cc, "-std=c11", "-E", *flags, "-I", str(include), "-x", "c", "-"], input=source, text=True,
                         capture_output=True, check=False)
    if run.returncode != 0:
        raise AbiError("the headers do not compile:\n" + run.stderr)
    return run.stdout


def own_text(cc, include):
    """The preprocessed text that comes from the ABI's own headers."""
    lines, ours = [], False
    for line in preprocess(cc, include).splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = re.search(r"berth/\w+\.h$", marker.group(1)) is not None
        elif ours:
            lines.append(line)
    text = " ".join(lines)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", text)


def tokens_of(text):
    return re.findall(r"[A-Za-z_]\w*|\d+\w*|[{}()\[\];,*]|\S", text)


class Reader:
    """A reader of the few forms of declaration that ABI headers consist of."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0
        self.structs, self.types, self.functions = {}, {}, {}

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if token == "" or (wanted is not None and token != wanted):
            near = " ".join(self.tokens[max(0, self.at - 8):self.at + 8])
            raise AbiError(f"expected {wanted or 'more'} and met '{token}' near: {near}")
        self.at += 1
        return token

    def read(self):
        while self.peek():
            if self.peek() == "typedef":
                self.take()
                self.read_typedef()
            elif self.peek() == "struct" and self.peek(2) == "{":
                self.take()
                self.read_struct(self.take())
                self.take(";")
            else:
                for name, kind in self.read_declaration():
                    self.functions[name] = kind
        return self

    def read_typedef(self):
        if self.peek() == "struct" and self.peek(2) == "{":
            self.take()
            tag = self.take()
            self.read_struct(tag)
            self.take(tag)
            self.take(";")
        elif self.peek() == "struct" and self.peek(3) == ";":
            self.at += 4  # only names an opaque struct, or one defined elsewhere
        else:
            for name, kind in self.read_declaration():
                self.types[name] = kind

    def read_struct(self, tag):
        self.take("{")
        fields = []
        while self.peek() != "}":
            fields += self.read_declaration()
        self.take("}")
        if tag in self.structs:
            raise AbiError(f"struct {tag} is defined twice")
        self.structs[tag] = fields

    def read_declaration(self):
        """`base declarator, declarator;` as [(name, type), ...]."""
        base, found = self.read_base(), []
        while True:
            found.append(self.read_declarator(base))
            if self.peek() != ",":
                break
            self.take()
        self.take(";")
        return found

    def read_base(self):
        words = []
        while self.peek() in ("const", "struct"):
            words.append(self.take())
        word = self.take()
        if not re.match(r"[A-Za-z_]", word):
            raise AbiError(f"'{word}' is no type")
        words.append(word)
        if self.peek() == "const":
            words.insert(0, self.take())
        return " ".join(words)

    def read_declarator(self, base):
        kind = base
        while self.peek() == "*":
            self.take()
            kind += " *"
            if self.peek() == "const":
                kind += self.take()
        name = ""
        if self.peek() == "(":  # a function pointer
            self.take()
            self.take("*")
            name = self.take() if self.peek() != ")" else ""
            self.take(")")
            kind = f"{kind} (*)({self.read_parameters()})"
        else:
            if re.match(r"[A-Za-z_]", self.peek()):
                name = self.take()
            if self.peek() == "(":
                kind = f"{kind} ({self.read_parameters()})"
        while self.peek() == "[":
            self.take()
            kind += f"[{self.take()}]"
            self.take("]")
        return name, kind

    def read_parameters(self):
        self.take("(")
        kinds = []
        while self.peek() != ")":
            kinds.append(self.read_declarator(self.read_base())[1])
            if self.peek() == ",":
                self.take()
        self.take(")")
        return ", ".join(kinds)


# ---- measuring --------------------------------------------------------------------------------------------------------


def constants_of(cc, include):
    """Object-like macros: (integers, texts), name -> body."""
    numbers, texts = {}, {}
    for line in preprocess(cc, include, "-dM").splitlines():
        macro = re.match(r"#define (BERTH_\w+) (.+)", line)  # function-like ones have a '(' at once
        if not macro or macro.group(1) in ("BERTH_EXPORT", "BERTH_BLOCK"):
            continue
        (texts if macro.group(2).startswith('"') else numbers)[macro.group(1)] = macro.group(2)
    return numbers, texts


PROGRAM_HEAD = """#include <stdio.h>
#include "berth/berth.h"
#define KIND(x) _Generic((x), int: "int32_t", unsigned: "uint32_t", long: "int64_t", unsigned long: "uint64_t", \\
                         long long: "int64_t", unsigned long long: "uint64_t")
#define NUMBER(x) printf("constant " #x " %s ", KIND(x)), \\
  ((x) < 0 ? printf("%lld\\n", (long long)(x)) : printf("%llu\\n", (unsigned long long)(x)))
#define STRUCT(s) printf("struct " #s " size %zu align %zu\\n", sizeof(s), _Alignof(s))
#define FIELD(s, f) printf(" field " #s "." #f " offset %zu size %zu\\n", offsetof(s, f), sizeof(((s *)0)->f))
int main(void) {
"""


def measure(cc, include, reader, numbers):
    body = [f"NUMBER({name});" for name in sorted(numbers)]
    for struct, fields in sorted(reader.structs.items()):
        body.append(f"STRUCT({struct});")
        body += [f"FIELD({struct}, {field});" for field, _ in fields]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "measure.c"), pathlib.Path(folder, "measure")
        source.write_text(PROGRAM_HEAD + "\n".join(body) + "\nreturn 0; }\n")
        build = subprocess.run([cc, "-std=c11", "-w", "-I", str(include), str(source), "-o", str(program)], text=True,
                               capture_output=True, check=False)
        if build.returncode != 0:
            raise AbiError("the measuring program does not compile:\n" + build.stderr)
        return subprocess.run([str(program)], text=True, capture_output=True, check=True).stdout


def by_value(reader):
    """Structs that function signatures take or return by value."""
    kinds = list(reader.functions.values()) + list(reader.types.values())
    kinds += [kind for fields in reader.structs.values() for _, kind in fields]
    found = set()
    for kind in kinds:
        if "(" in kind:
            found |= {part.strip() for part in re.split(r"\(\*\)|[(),]", kind)} & set(reader.structs)
    return found


def dump(cc, include):
    reader = Reader(tokens_of(own_text(cc, include))).read()
    numbers, texts = constants_of(cc, include)
    kinds = {f"{struct}.{field}": kind for struct, fields in reader.structs.items() for field, kind in fields}
    frozen = FROZEN | by_value(reader)
    lines = [f"id {name} {body}" for name, body in sorted(texts.items())]
    lines += [f"type {name} {kind}" for name, kind in sorted(reader.types.items())]
    lines += [f"function {name} {kind}" for name, kind in sorted(reader.functions.items())]
    for line in measure(cc, include, reader, numbers).splitlines():
        words = line.split()
        if words[0] == "field":
            line += f" type {kinds[words[1]]}"
        elif words[0] == "struct" and words[1] in frozen:
            line += " frozen"
        lines.append(line)
    return "\n".join(lines) + "\n"


# ---- comparing --------------------------------------------------------------------------------------------------------


def parse(text):
    """A dump as ({kind+name: rest}, {struct: (size, align, frozen, [(field, offset, size, type)])})."""
    flat, structs = {}, {}
    for line in text.splitlines():
        words = line.split()
        if words[0] == "struct":
            structs[words[1]] = (int(words[3]), int(words[5]), "frozen" in words[6:], [])
        elif words[0] == "field":
            struct, field = words[1].split(".")
            structs[struct][3].append((field, int(words[3]), int(words[5]), " ".join(words[7:])))
        else:
            flat[f"{words[0]} {words[1]}"] = " ".join(words[2:])
    return flat, structs


def compare_flat(old, new):
    for name, was in old.items():
        now = new.get(name)
        if now is None:
            yield f"{name} is gone"
        elif now != was:
            grown = name.split()[1] in MAY_GROW and int(now.split()[1]) > int(was.split()[1])
            if not grown:
                yield f"{name} was {was} and is {now}"


def compare_struct(name, old, new):
    size, align, frozen, fields = old
    new_size, new_align, _, new_fields = new
    for i, (field, offset, width, kind) in enumerate(fields):
        if i >= len(new_fields) or new_fields[i][0] != field:
            there = [f[0] for f in new_fields]
            yield f"{name}.{field} " + ("is no longer at its place" if field in there else "is gone")
            return
        _, now_offset, now_width, now_kind = new_fields[i]
        if (now_offset, now_width) != (offset, width):
            yield f"{name}.{field} was at {offset}, {width} bytes, and is at {now_offset}, {now_width} bytes"
        if now_kind != kind:
            yield f"{name}.{field} was of type {kind} and is of type {now_kind}"
    added = new_fields[len(fields):]
    if added and frozen:
        yield f"{name} is frozen and has the new field {added[0][0]}"
    if added and added[0][1] < size:
        yield f"{name}.{added[0][0]} lies in what was padding: readers of {size} bytes would take junk for it"
    if new_align != align or (not added and new_size != size):
        yield f"{name} was {size} bytes, aligned to {align}, and is {new_size} bytes, aligned to {new_align}"


def compare(golden, now):
    old_flat, old_structs = parse(golden)
    new_flat, new_structs = parse(now)
    yield from compare_flat(old_flat, new_flat)
    for name, old in old_structs.items():
        if name not in new_structs:
            yield f"struct {name} is gone"
        else:
            yield from compare_struct(name, old, new_structs[name])


# ---- berth/layout.h ---------------------------------------------------------------------------------------------------

LAYOUT_HEAD = """/* berth/layout.h - proof, at compile time, that this compiler lays the stable structs out as every other one does.
 * Written by sdk/abi/abi_tool.py from sdk/abi/v1.dump: do not edit. For 64-bit targets; empty elsewhere and in C99. */
#ifndef BERTH_LAYOUT_H
#define BERTH_LAYOUT_H
#include "berth/berth.h"
#if UINTPTR_MAX == 0xffffffffffffffffu && \\
    (defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))
#ifdef __cplusplus
#define BERTH_LAYOUT_IS static_assert
#else
#define BERTH_LAYOUT_IS _Static_assert
#endif
"""


def layout(golden):
    lines = []
    for name, (size, _, _, fields) in parse(golden)[1].items():
        lines.append(f'BERTH_LAYOUT_IS(sizeof({name}) == {size}, "{name}");')
        lines += [f'BERTH_LAYOUT_IS(offsetof({name}, {f}) == {offset}, "{name}.{f}");' for f, offset, _, _ in fields]
    return LAYOUT_HEAD + "\n".join(lines) + "\n#undef BERTH_LAYOUT_IS\n#endif\n#endif\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("command", choices=["dump", "check", "update", "layout"])
    options.add_argument("--include", type=pathlib.Path, default=HERE.parent / "include")
    options.add_argument("--golden", type=pathlib.Path, default=HERE / "v1.dump")
    options.add_argument("--cc", default="cc")
    args = options.parse_args()
    if args.command == "layout":
        sys.stdout.write(layout(args.golden.read_text()))
        return 0
    now = dump(args.cc, args.include)
    if args.command == "dump":
        sys.stdout.write(now)
        return 0
    golden = args.golden.read_text() if args.golden.exists() else ""
    problems = list(compare(golden, now))
    for problem in problems:
        print(f"abi: {problem}", file=sys.stderr)
    if problems:
        return 1
    if args.command == "update":
        args.golden.write_text(now)
        (args.include / "berth" / "layout.h").write_text(layout(now))
    elif now != golden:
        print("abi: additions only; write them down with: sdk/abi/abi_tool.py update")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AbiError as error:
        sys.exit(f"abi: {error}")
