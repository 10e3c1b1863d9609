//! The implementation of [`library!`](crate::library!): the one exported symbol, and its tables.
#![doc(hidden)]
use crate::abi::*;
use crate::guard;
use crate::instance::Instance;
use crate::plugin::Plugin;
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};

pub use crate::note::{note, room, Note};
pub use crate::tables::Tables;

/// One table that a plugin offers.
pub struct Table {
    pub id: &'static str,    // ends with NUL
    pub noted: &'static str, // the extension point in the note's words; "": not named there
    pub draft: &'static str, // "trial/1" of a draft, else ""
    pub raw: *const c_void,
}

/// Written by the macro: which tables a plugin offers.
pub trait Offers: Plugin {
    const TABLES: &'static [Table];
}

/// A plugin, as the note names it.
pub struct Noted {
    pub name: &'static str,
    pub tables: &'static [Table],
    pub needs: &'static [&'static str],
    pub uses: &'static [&'static str],
    pub min_host: u32,
    pub sample_args: Option<&'static str>,
}

pub(crate) fn table_of<P: Offers>(id: &CStr) -> *const c_void {
    let found = P::TABLES.iter().find(|table| table.id.as_bytes() == id.to_bytes_with_nul());
    found.map_or(std::ptr::null(), |table| table.raw)
}

/// The data about one plugin that the entry needs.
pub struct Made {
    pub descriptor: berth_descriptor,
    pub create: fn(*const berth_host) -> *mut berth_plugin,
    pub args: fn(&CStr) -> *const c_void,
}
// Pointers to constants.
unsafe impl Sync for Made {}

/// A text and its NUL.
pub const fn with_nul<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < text.len() {
        assert!(text.as_bytes()[i] != 0, "a text with NUL");
        out[i] = text.as_bytes()[i];
        i += 1;
    }
    out
}

pub fn create<P: Offers>(host: *const berth_host) -> *mut berth_plugin {
    Instance::<P>::create(host)
}

pub fn args<P: Offers>(id: &CStr) -> *const c_void {
    let wanted = id.to_bytes() == BERTH_LIBRARY_ARGS.as_bytes();
    if wanted { table_of::<P>(id) } else { std::ptr::null() }
}

pub fn describe(plugins: &'static [Made], i: u32) -> *const berth_descriptor {
    plugins.get(i as usize).map_or(std::ptr::null(), |made| &made.descriptor)
}

unsafe fn named<'a>(plugins: &'a [Made], name: *const c_char) -> Option<&'a Made> {
    plugins.iter().find(|made| CStr::from_ptr(made.descriptor.name) == CStr::from_ptr(name))
}

/// # Safety
/// The host's: name ends with NUL.
pub unsafe fn create_named(plugins: &'static [Made], name: *const c_char, host: *const berth_host) -> *mut berth_plugin {
    guard::take_panics();
    named(plugins, name).map_or(std::ptr::null_mut(), |made| (made.create)(host))
}

/// # Safety
/// The host's: both texts end with NUL.
pub unsafe fn extension(plugins: &'static [Made], name: *const c_char, id: *const c_char) -> *const c_void {
    guard::take_panics(); // complete and check may be the first code of the library that runs
    named(plugins, name).map_or(std::ptr::null(), |made| (made.args)(CStr::from_ptr(id)))
}

/// Makes a library of plugins: `library!(Type: point, point; Other: point)`, once per crate; each point requires the
/// trait with its name. In the order in which a pod meets them: `pre_enqueue`, `queue_sort`, `pre_filter`, `filter` or
/// `filter_rows`, `post_filter`, `pre_score`, `score` or `score_rows`, `reserve`, `permit`, `pre_bind`, `bind`,
/// `post_bind`. Beside them: `args` ([`CheckedArgs`](crate::CheckedArgs)), `events` ([`Events`](crate::Events)) or
/// `hints` ([`Hints`](crate::Hints)), `deltas` ([`Deltas`](crate::Deltas)), `objects`
/// ([`ObjectChanges`](crate::ObjectChanges)), `pod_change` ([`PodChange`](crate::PodChange)), `handover`
/// ([`Handover`](crate::Handover)), `succession` ([`Succession`](crate::Succession)).
///
/// A table may occur only once; this does not compile:
///
/// ```compile_fail
/// # use berth_plugin::*;
/// # struct Twice;
/// # impl Plugin for Twice {
/// #     const NAME: &'static str = "twice";
/// #     const VENDOR: &'static str = "example.org";
/// #     fn new(_: &Host) -> Result<Self, Error> { Ok(Twice) }
/// # }
/// # impl Filter for Twice {
/// #     fn filter(&self, _: &Cycle, _: &Pod, _: &Node) -> Result<Status, Error> { Ok(Status::Success) }
/// # }
/// # impl FilterRows for Twice {
/// #     fn filter_rows(&self, _: &Cycle, _: &Pod, _: &Rows, _: &mut Verdicts) -> Result<(), Error> { Ok(()) }
/// # }
/// library!(Twice: filter, filter_rows);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! library {
    ($($plugin:ty : $($point:ident),+ $(,)?);+ $(;)?) => {
        $(impl $crate::library::Offers for $plugin {
            const TABLES: &'static [$crate::library::Table] = &[$($crate::library::Tables::<$plugin>::$point),+];
        })+

        /// The first function that a host calls.
        #[no_mangle]
        pub extern "C" fn berth_entry_v1(_host_abi_minor: u32) -> *const $crate::abi::berth_entry {
            use $crate::{abi, library, Plugin};
            use ::std::os::raw::{c_char, c_void};

            const VERSION: &str = env!("CARGO_PKG_VERSION");
            const NOTED: &[library::Noted] = &[$(library::Noted {
                name: <$plugin as Plugin>::NAME,
                tables: <$plugin as library::Offers>::TABLES,
                needs: <$plugin as Plugin>::NEEDS,
                uses: <$plugin as Plugin>::USES,
                min_host: <$plugin as Plugin>::MIN_HOST,
                sample_args: <$plugin as Plugin>::SAMPLE_ARGS,
            }),+];
            #[used]
            #[link_section = ".note.berth"]
            static NOTE: library::Note<{ library::room(NOTED, VERSION) }> = library::note(NOTED, VERSION);

            const fn c_text<const N: usize>(text: &'static [u8; N]) -> *const c_char {
                text as *const u8 as *const c_char
            }
            macro_rules! c_text {
                ($text:expr) => {{
                    const TEXT: &str = $text;
                    const BYTES: [u8; TEXT.len() + 1] = library::with_nul(TEXT);
                    c_text(&BYTES)
                }};
            }
            static PLUGINS: &[library::Made] = &[$(library::Made {
                descriptor: abi::berth_descriptor {
                    size: ::std::mem::size_of::<abi::berth_descriptor>() as u32,
                    flags: <$plugin as Plugin>::FLAGS,
                    name: c_text!(<$plugin as Plugin>::NAME),
                    version: c_text!(VERSION),
                    vendor: c_text!(<$plugin as Plugin>::VENDOR),
                    args_schema: match <$plugin as Plugin>::ARGS_SCHEMA {
                        Some(_) => c_text!(match <$plugin as Plugin>::ARGS_SCHEMA { Some(text) => text, None => "" }),
                        None => ::std::ptr::null(),
                    },
                },
                create: library::create::<$plugin>,
                args: library::args::<$plugin>,
            }),+];

            unsafe extern "C" fn count() -> u32 {
                PLUGINS.len() as u32
            }
            unsafe extern "C" fn describe(i: u32) -> *const abi::berth_descriptor {
                library::describe(PLUGINS, i)
            }
            unsafe extern "C" fn create(name: *const c_char, host: *const abi::berth_host) -> *mut abi::berth_plugin {
                library::create_named(PLUGINS, name, host)
            }
            unsafe extern "C" fn extension(name: *const c_char, id: *const c_char) -> *const c_void {
                library::extension(PLUGINS, name, id)
            }
            static ENTRY: abi::berth_entry = abi::berth_entry {
                size: ::std::mem::size_of::<abi::berth_entry>() as u32,
                abi_minor: abi::BERTH_ABI_MINOR,
                count: Some(count),
                describe: Some(describe),
                create: Some(create),
                extension: Some(extension),
            };
            &ENTRY
        }
    };
}
