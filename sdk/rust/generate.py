#!/usr/bin/env python3
"""The plugin ABI in Rust's words, from the C headers.

  generate.py write   writes src/constants.rs, src/abi.rs and src/abi_layout.rs
  generate.py check   exit 1 when they are not what the headers say

src/constants.rs has every constant and id of the headers, drafts included, src/abi.rs every struct; src/abi_layout.rs is
the test that rustc lays them out as the C compiler does. Needs a C compiler (--cc) and ../abi/abi_tool.py, which reads the
headers. Run by the tests; run `write` after a change of the headers.
"""
import argparse
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "abi"))
import abi_tool  # noqa: E402: beside this folder, not in the path

INCLUDE = HERE.parent / "include" / "berth"
DRAFTS = sorted(path.stem for path in (INCLUDE / "draft").glob("*.h"))
PRIMITIVES = {"void": "c_void", "char": "c_char", "double": "f64"} | {
    f"{sign}int{bits}_t": f"{letter}{bits}" for sign, letter in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)}
KEYWORDS = {"type", "match", "ref", "move", "fn", "use", "impl", "in", "loop", "where"}

CONSTANTS_HEAD = """//! `BERTH_*` of the headers, which say what each means. Written by generate.py from the headers: do not edit.
#![allow(missing_docs)]
"""
ABI_HEAD = """//! The C ABI of `sdk/include/berth`, as Rust sees it: what each field means is said there.
//! Written by generate.py from the headers: do not edit.
#![allow(non_camel_case_types, missing_docs)]
pub use crate::constants::*;
use std::os::raw::{c_char, c_void};
"""
LAYOUT_HEAD = """//! rustc's layout against the C compiler's. Written by generate.py: do not edit.
use crate::abi::*;
use std::mem::{align_of, size_of, MaybeUninit};

macro_rules! offset {
    ($t:ty, $f:ident) => {{
        let place = MaybeUninit::<$t>::uninit();
        let base = place.as_ptr();
        // No reference and no read: only the address of the field.
        unsafe { std::ptr::addr_of!((*base).$f) as usize - base as usize }
    }};
}

"""


def dump(cc):
    """abi_tool's dump of the stable headers and the drafts: of a copy in which berth.h includes the drafts."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "berth")
        shutil.copytree(INCLUDE, copy)
        for draft in DRAFTS:  # beside the stable ones, where the reader looks
            shutil.copy(copy / "draft" / f"{draft}.h", copy / f"draft_{draft}.h")
        berth = copy / "berth.h"
        berth.write_text(berth.read_text() + "".join(f'#include "berth/draft_{draft}.h"\n' for draft in DRAFTS))
        return abi_tool.dump(cc, folder)


def read_draft(name):
    return (INCLUDE / "draft" / f"{name}.h").read_text()


def field(name):
    return name + "_" if name in KEYWORDS else name


def rust_type(kind):
    """A type as abi_tool spells it -> Rust's."""
    kind = kind.strip()
    function = re.match(r"(.*?)\(\*\)\((.*)\)$", kind)
    if function:
        result, parameters = function.groups()
        listed = [p for p in split(parameters) if p != "void"]
        answer = "" if result.strip() == "void" else f" -> {rust_type(result)}"
        return f"Option<unsafe extern \"C\" fn({', '.join(map(rust_type, listed))}){answer}>"
    array = re.match(r"(.*)\[(\w+)\]$", kind)
    if array:
        return f"[{rust_type(array.group(1))}; {array.group(2)}]"
    words = re.findall(r"\w+|\*", kind)
    constant = words[0] == "const"
    words = [w for w in (words[1:] if constant else words) if w != "struct"]
    spelled = PRIMITIVES.get(words[0], words[0])
    for word in words[1:]:
        if word == "*":
            spelled = f"*{'const' if constant else 'mut'} {spelled}"
            constant = False
        else:  # `*const`: what this pointer's own pointer points to
            constant = word == "const"
    return spelled


def split(parameters):
    """At the commas outside of parentheses."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(parameters + ","):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            found.append(parameters[start:i].strip())
            start = i + 1
    return [one for one in found if one]


def opaque_names(flat, structs, kinds):
    named = set(re.findall(r"\bberth_\w+", " ".join(kinds)))
    return sorted(named - set(structs) - {name.split()[1] for name in flat})


def constants(text):
    out = [CONSTANTS_HEAD]
    for name, value in abi_tool.parse(text)[0].items():
        what, name = name.split()
        if what == "id":
            out.append(f"pub const {name}: &str = {value};")
        elif what == "constant":
            kind, number = value.split()
            number = "i64::MIN" if int(number) == -2**63 else number
            out.append(f"pub const {name}: {rust_type(kind)} = {number};")
    services = sorted(set(re.findall(r"define (BERTH_SERVICE_\w+)", "".join(map(read_draft, DRAFTS)))))
    listed = "".join(f"    {name},\n" for name in services)
    out.append(f"\n/// Services that may still change.\npub(crate) const DRAFT_SERVICES: &[&str] = &[\n{listed}];")
    return "\n".join(out) + "\n"


def abi(text):
    flat, structs = abi_tool.parse(text)
    kinds = [kind for _, _, _, fields in structs.values() for *_, kind in fields] + list(flat.values())
    out = [ABI_HEAD]
    for name, value in flat.items():
        if name.startswith("type "):
            out.append(f"pub type {name.split()[1]} = {rust_type(value)};")
    for name in opaque_names(flat, structs, kinds):
        out.append(f"\n/// Opaque.\n#[repr(C)]\npub struct {name} {{\n    _nothing: [u8; 0],\n}}")
    for name, (_, _, _, fields) in structs.items():
        body = "".join(f"    pub {field(f)}: {rust_type(kind)},\n" for f, _, _, kind in fields)
        out.append(f"\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n{body}}}")
    return "\n".join(out) + "\n"


def layout(text):
    structs = abi_tool.parse(text)[1]
    out = []
    for name, (size, align, _, fields) in structs.items():
        out.append(f"#[test]\nfn {name}_is_laid_out_as_in_c() {{")
        out.append(f"    assert_eq!((size_of::<{name}>(), align_of::<{name}>()), ({size}, {align}));")
        out += [f"    assert_eq!(offset!({name}, {field(f)}), {offset});" for f, offset, _, _ in fields]
        out.append("}\n")
    return LAYOUT_HEAD + "\n".join(out)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("command", choices=["write", "check"])
    options.add_argument("--cc", default="cc")
    args = options.parse_args()
    text = dump(args.cc)
    bad = 0
    for name, wanted in (("constants.rs", constants(text)), ("abi.rs", abi(text)), ("abi_layout.rs", layout(text))):
        path = HERE / "src" / name
        if args.command == "write":
            path.write_text(wanted)
        elif not path.exists() or path.read_text() != wanted:
            print(f"{path.relative_to(HERE)} is not what the headers say: run sdk/rust/generate.py write",
                  file=sys.stderr)
            bad = 1
    return bad


if __name__ == "__main__":
    try:
        sys.exit(main())
    except abi_tool.AbiError as error:
        sys.exit(f"abi: {error}")
