//! The ELF note, written by the compiler: the content of the library, as one JSON object (fields: `berth/entry.h`).
use crate::constants::{BERTH_ABI_MAJOR, BERTH_ABI_MINOR, DRAFT_SERVICES};
use crate::instance::NEEDS;
use crate::library::{Noted, Table};

/// The longest note that can be made.
const MOST: usize = 16384;

/// The note in the format of section .note.berth.
#[doc(hidden)]
#[repr(C)]
pub struct Note<const N: usize> {
    namesz: u32,
    descsz: u32,
    kind: u32,
    name: [u8; 8],
    desc: [u8; N],
}

// A text that grows at compile time. It is passed by value, because constant functions of Rust 1.63 take no `&mut`.
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
    /// "trial/1" of "berth.host.trial/1", one of a list.
    const fn service(mut self, first: bool, id: &str) -> Self {
        self = self.raw(if first { "\"" } else { ",\"" });
        let mut i = "berth.host.".len();
        while i < id.len() {
            self.text[self.length] = id.as_bytes()[i];
            self.length += 1;
            i += 1;
        }
        self.raw("\"")
    }
    const fn number(mut self, n: u32) -> Self {
        if n >= 10 {
            self = self.number(n / 10);
        }
        self.text[self.length] = b'0' + (n % 10) as u8;
        self.length += 1;
        self
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

/// Whether an earlier plugin, or an earlier table of this plugin, has the same draft.
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

const fn holds(list: &[&str], id: &str) -> bool {
    let mut i = 0;
    while i < list.len() {
        if equal(list[i], id) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether `id` ends with `short`: "berth.host.objects/1" with "objects/1", of a point's draft.
const fn ends_with(id: &str, short: &str) -> bool {
    let (id, short) = (id.as_bytes(), short.as_bytes());
    let mut i = 0;
    while i < short.len() && i < id.len() && id[id.len() - 1 - i] == short[short.len() - 1 - i] {
        i += 1;
    }
    i == short.len() && i < id.len() && id[id.len() - 1 - i] == b'.'
}

/// Whether a plugin names the service, and no draft of a point names it already.
const fn service_is_new(plugins: &[Noted], id: &str) -> bool {
    let (mut i, mut named) = (0, false);
    while i < plugins.len() {
        let mut j = 0;
        while j < plugins[i].tables.len() {
            if !plugins[i].tables[j].draft.is_empty() && ends_with(id, plugins[i].tables[j].draft) {
                return false;
            }
            j += 1;
        }
        named = named || holds(plugins[i].needs, id) || holds(plugins[i].uses, id);
        i += 1;
    }
    named
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
    i = 0;
    while i < DRAFT_SERVICES.len() {
        if service_is_new(plugins, DRAFT_SERVICES[i]) {
            out = out.service(first, DRAFT_SERVICES[i]);
            first = false;
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

/// Two tables with the same id would hide each other: `filter` and `filter_rows`, `events` and `hints`.
const fn is_twice(tables: &[Table]) -> bool {
    let mut i = 0;
    while i < tables.len() {
        let mut j = 0;
        while j < i {
            if equal(tables[i].id, tables[j].id) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

const fn needs(mut out: Json, plugin: &Noted) -> Json {
    out = out.quote(NEEDS[0]).raw(",").quote(NEEDS[1]);
    let mut i = 0;
    while i < plugin.needs.len() {
        out = if holds(&NEEDS, plugin.needs[i]) { out } else { out.item(false, plugin.needs[i]) };
        i += 1;
    }
    out
}

/// Unchanged: a host that reads the note checks that it is JSON.
const fn sample_args(out: Json, plugin: &Noted) -> Json {
    match plugin.sample_args {
        Some(text) => {
            let bytes = text.as_bytes();
            assert!(bytes.len() <= 4096, "SAMPLE_ARGS may have 4096 bytes");
            assert!(bytes.len() >= 2 && bytes[0] == b'{' && bytes[bytes.len() - 1] == b'}', "SAMPLE_ARGS must be a JSON object");
            out.raw(",\"sampleArgs\":").raw(text)
        }
        None => out,
    }
}

const fn min_host(plugins: &[Noted]) -> u32 {
    let (mut i, mut most) = (0, 0);
    while i < plugins.len() {
        most = if plugins[i].min_host > most { plugins[i].min_host } else { most };
        i += 1;
    }
    most
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
    out = out.raw("{\"abi\":[").number(BERTH_ABI_MAJOR).raw(",").number(BERTH_ABI_MINOR);
    out = out.raw("],\"minHost\":").number(min_host(plugins));
    out = out.raw(",\"sdk\":\"rust/1.2\",\"version\":").quote(version).raw(",\"draft\":[");
    out = drafts(out, plugins).raw("],\"plugins\":[");
    let mut i = 0;
    while i < plugins.len() {
        out = out.raw(if i == 0 { "{\"name\":" } else { ",{\"name\":" }).quote(plugins[i].name).raw(",\"points\":[");
        assert!(!is_twice(plugins[i].tables), "a plugin names one point twice: filter and filter_rows, events and hints, ...");
        out = points(out, plugins[i].tables);
        out = out.raw(if has_args(plugins[i].tables) { "],\"args\":true,\"needs\":[" } else { "],\"args\":false,\"needs\":[" });
        out = needs(out, &plugins[i]).raw("]");
        out = sample_args(out, &plugins[i]).raw("}");
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOTED: Noted =
        Noted { name: "shaped", tables: &[], needs: &[], uses: &[], min_host: 0, sample_args: Some("{\"shape\": [1]}") };

    fn text_of(plugin: Noted) -> String {
        let json = written(&[plugin], "1.0.0");
        String::from_utf8(json.text[..json.length].to_vec()).unwrap()
    }

    #[test]
    fn sample_args_are_written_as_they_are() {
        let text = text_of(NOTED);
        assert!(text.ends_with("],\"sampleArgs\":{\"shape\": [1]}}]}"), "{}", text);
    }

    #[test]
    fn nothing_is_written_where_there_are_none() {
        let text = text_of(Noted { sample_args: None, ..NOTED });
        assert!(!text.contains("sampleArgs"), "{}", text);
    }
}
