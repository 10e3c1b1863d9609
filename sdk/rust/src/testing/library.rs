//! libberth_test_host.so, the SDK's fake host: found at run time, and its C interface (berth/testing/test_host.h).
use super::json::Json;
use crate::abi::*;
use crate::host::borrow;
use std::ffi::{CStr, CString, OsString};
use std::os::raw::{c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The symbol that `library!` exports.
pub type Entry = extern "C" fn(u32) -> *const berth_entry;

type Raw = *mut c_void; // berth_test
type Text = *const c_char;
type Answer = *const berth_value;

struct Library {
    open: unsafe extern "C" fn(Entry, Text) -> Raw,
    close: unsafe extern "C" fn(Raw),
    call: unsafe extern "C" fn(Raw, Text, berth_str) -> Answer,
    start_from: unsafe extern "C" fn(Raw, Raw) -> Answer,
    commit: unsafe extern "C" fn(Raw, Raw) -> Answer,
    values: *const berth_values,
}
// Functions and a static table.
unsafe impl Send for Library {}
unsafe impl Sync for Library {}

extern "C" {
    fn dlopen(path: Text, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: Text) -> *mut c_void;
    fn dlerror() -> Text;
}
const RTLD_NOW: c_int = 2;

const FILE: &str = "libberth_test_host.so";
const VARIABLE: &str = "BERTH_TEST_HOST";
const VERSION: u32 = 1; // BERTH_TEST_HOST_VERSION

/// The possible paths of the library: that of the variable, or the lib folder of the SDK with which this crate was
/// installed (as share/berth/rust), or those of the dynamic linker.
fn places(variable: Option<OsString>) -> Vec<PathBuf> {
    if let Some(named) = variable {
        return vec![named.into()];
    }
    let prefix = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap_or_else(|| Path::new("/"));
    vec![prefix.join("lib").join(FILE), prefix.join("lib64").join(FILE), FILE.into()]
}

fn open_first(places: &[PathBuf]) -> Result<*mut c_void, String> {
    let mut tried = Vec::new();
    for place in places {
        let path = CString::new(place.as_os_str().as_bytes()).map_err(|_| format!("{place:?} contains a NUL"))?;
        let library = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
        if !library.is_null() {
            return Ok(library);
        }
        let why = unsafe { CStr::from_ptr(dlerror()) }.to_string_lossy(); // begins with the path
        tried.push(format!("\n  {why}"));
    }
    Err(format!(
        "The fake host of the Berth SDK, {FILE}, cannot be loaded. Set the environment variable {VARIABLE} to its path. Tried:{}",
        tried.concat()
    ))
}

unsafe fn symbol<T: Copy>(library: *mut c_void, name: &str) -> Result<T, String> {
    assert_eq!(std::mem::size_of::<T>(), std::mem::size_of::<*mut c_void>());
    let ended = CString::new(name).expect("a name without NUL");
    let found = dlsym(library, ended.as_ptr());
    if found.is_null() {
        return Err(format!("{FILE} lacks {name}: it is not the one of this crate's SDK"));
    }
    Ok(std::mem::transmute_copy(&found))
}

fn load(places: &[PathBuf]) -> Result<Library, String> {
    let library = open_first(places)?;
    unsafe {
        let version: extern "C" fn() -> u32 = symbol(library, "berth_test_version")?;
        if version() != VERSION {
            return Err(format!("{FILE} has version {} of its interface; this crate needs version {VERSION}", version()));
        }
        let values: extern "C" fn() -> *const berth_values = symbol(library, "berth_test_values")?;
        Ok(Library {
            open: symbol(library, "berth_test_open")?,
            close: symbol(library, "berth_test_close")?,
            call: symbol(library, "berth_test_call")?,
            start_from: symbol(library, "berth_test_start_from")?,
            commit: symbol(library, "berth_test_commit")?,
            values: values(),
        })
    }
}

/// Panics if there is none, in each test.
fn library() -> &'static Library {
    static LOADED: Mutex<Option<&'static Library>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    loaded.get_or_insert_with(|| match load(&places(std::env::var_os(VARIABLE))) {
        Ok(library) => Box::leak(Box::new(library)),
        Err(why) => panic!("{why}"),
    })
}

/// A test handle.
pub(super) struct Handle {
    library: &'static Library,
    raw: Raw,
}

impl Handle {
    pub fn open(entry: Entry, plugin: &str) -> Handle {
        let library = library();
        let name = CString::new(plugin).expect("a name without NUL");
        let raw = unsafe { (library.open)(entry, name.as_ptr()) };
        assert!(!raw.is_null(), "berth_entry_v1 answered NULL");
        Handle { library, raw }
    }
    /// The answer of a verb. Panics if the fake host refuses the call.
    pub fn call(&self, verb: &str, document: Json) -> Json {
        let (name, document) = (CString::new(verb).expect("a verb"), document.to_string());
        let raw = unsafe { (self.library.call)(self.raw, name.as_ptr(), borrow(&document)) };
        self.read(verb, raw)
    }
    pub fn start_from(&self, before: &Handle) -> Json {
        self.read("start_from", unsafe { (self.library.start_from)(self.raw, before.raw) })
    }
    pub fn commit(&self, before: &Handle) {
        self.read("commit", unsafe { (self.library.commit)(self.raw, before.raw) });
    }
    fn read(&self, verb: &str, raw: Answer) -> Json {
        let answer = unsafe { Json::read(&*self.library.values, raw) };
        if let Json::Text(mistake) = answer.get("mistake") {
            panic!("{verb}: {mistake}");
        }
        answer
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        unsafe { (self.library.close)(self.raw) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_the_variable_and_the_places() {
        let why = load(&places(Some("/nowhere/host.so".into()))).map(|_| ()).unwrap_err();
        assert!(why.contains("Set the environment variable BERTH_TEST_HOST to its path. Tried:\n  /nowhere/host.so: "), "{why}");
        let places = places(None);
        assert_eq!(places.len(), 3);
        assert!(places[0].ends_with("lib/libberth_test_host.so") && places[2] == Path::new("libberth_test_host.so"));
        let why = load(&["libc.so.6".into()]).map(|_| ()).unwrap_err();
        assert_eq!(why, "libberth_test_host.so lacks berth_test_version: it is not the one of this crate's SDK");
    }
}
