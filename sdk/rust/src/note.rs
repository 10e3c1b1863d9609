//! The ELF note, written by the compiler: what the library holds, as one JSON object (fields: `berth/entry.h`).
use crate::instance::NEEDS;
use crate::library::{Noted, Table};

/// The longest note that can be made.
const MOST: usize = 8192;

/// The note as it stands in section .note.berth.
#[doc(hidden)]
#[repr(C)]
pub struct Note<const N: usize> {
    namesz: u32,
    descsz: u32,
    kind: u32,
    name: [u8; 8],
    desc: [u8; N],
}

// A text that grows at compile time. By value: constant functions of Rust 1.63 take no `&mut`.
struct Json {
    text: [u8; MOST],
    length: usize,
}

impl Json {
    const fn raw(mut self, text: &str) -> Self {
        let mut i = 0;
        while i < text.len() {
            self.text[self.length] = text.as_bytes()[i];
            self.length += 1;
            i += 1;
        }
        self
    }
    const fn quote(mut self, text: &str) -> Self {
        self = self.raw("\"");
        let mut i = 0;
        while i < text.len() {
            let letter = text.as_bytes()[i];
            assert!(letter >= b' ' && letter != b'"' && letter != b'\\', "a name or version that needs escaping");
            self.text[self.length] = letter;
            self.length += 1;
            i += 1;
        }
        self.raw("\"")
    }
    /// One of a list: a comma before it unless it is the first.
    const fn item(self, first: bool, text: &str) -> Self {
        if first { self.quote(text) } else { self.raw(",").quote(text) }
    }
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Has a plugin before `plugin`, or a table before `table` of that one, the same draft?
const fn named_before(plugins: &[Noted], plugin: usize, table: usize) -> bool {
    let draft = plugins[plugin].tables[table].draft;
    let mut i = 0;
    while i <= plugin {
        let mut j = 0;
        while j < plugins[i].tables.len() && (i < plugin || j < table) {
            if equal(plugins[i].tables[j].draft, draft) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

const fn drafts(mut out: Json, plugins: &[Noted]) -> Json {
    let (mut i, mut first) = (0, true);
    while i < plugins.len() {
        let mut j = 0;
        while j < plugins[i].tables.len() {
            if !plugins[i].tables[j].draft.is_empty() && !named_before(plugins, i, j) {
                out = out.item(first, plugins[i].tables[j].draft);
                first = false;
            }
            j += 1;
        }
        i += 1;
    }
    out
}

const fn points(mut out: Json, tables: &[Table]) -> Json {
    let (mut i, mut first) = (0, true);
    while i < tables.len() {
        if !tables[i].noted.is_empty() {
            out = out.item(first, tables[i].noted);
            first = false;
        }
        i += 1;
    }
    out
}

const fn has_args(tables: &[Table]) -> bool {
    let mut i = 0;
    while i < tables.len() {
        if equal(tables[i].id, "berth.library.args/1\0") {
            return true;
        }
        i += 1;
    }
    false
}

const fn written(plugins: &[Noted], version: &str) -> Json {
    let mut out = Json { text: [0; MOST], length: 0 };
    out = out.raw("{\"abi\":[1,0],\"minHost\":0,\"sdk\":\"rust/1.0\",\"version\":").quote(version).raw(",\"draft\":[");
    out = drafts(out, plugins).raw("],\"plugins\":[");
    let mut i = 0;
    while i < plugins.len() {
        out = out.raw(if i == 0 { "{\"name\":" } else { ",{\"name\":" }).quote(plugins[i].name).raw(",\"points\":[");
        out = points(out, plugins[i].tables);
        out = out.raw(if has_args(plugins[i].tables) { "],\"args\":true,\"needs\":[" } else { "],\"args\":false,\"needs\":[" });
        out = out.quote(NEEDS[0]).raw(",").quote(NEEDS[1]).raw("]}");
        i += 1;
    }
    out.raw("]}")
}

/// Room for the text, its NUL, and up to a multiple of four.
#[doc(hidden)]
pub const fn room(plugins: &[Noted], version: &str) -> usize {
    (written(plugins, version).length + 1 + 3) & !3
}

/// The note of a library; N is what [`room`] says.
#[doc(hidden)]
pub const fn note<const N: usize>(plugins: &[Noted], version: &str) -> Note<N> {
    let json = written(plugins, version);
    let mut desc = [0; N];
    let mut i = 0;
    while i < json.length {
        desc[i] = json.text[i];
        i += 1;
    }
    Note { namesz: 6, descsz: json.length as u32 + 1, kind: 1, name: *b"BERTH\0\0\0", desc }
}
