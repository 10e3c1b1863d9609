//! Stops panics: every call from the host runs inside one of these functions.
use crate::abi::*;
use crate::host::{borrow, Core};
use crate::status::{Error, Status, MAY_NOTHING_ELSE};
use std::any::Any;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe, Location};
use std::sync::Once;

/// The call from the host, for texts.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub core: &'a Core,
    pub plugin: &'static str,
    pub call: &'static str,
    pub cycle: *mut berth_cycle,
}

// Where the thread's last panic was, without an allocation or a destructor: 0 = no guard is open.
#[derive(Clone, Copy)]
struct Place {
    file: [u8; 120],
    length: u8,
    line: u32,
}
const NOWHERE: Place = Place { file: [0; 120], length: 0, line: 0 };
thread_local! {
    static GUARDS: Cell<u32> = const { Cell::new(0) };
    static PLACE: Cell<Place> = const { Cell::new(NOWHERE) };
}

fn remember(location: Option<&Location>) {
    let mut place = NOWHERE;
    if let Some(at) = location {
        let file = at.file().as_bytes();
        let tail = &file[file.len() - file.len().min(place.file.len())..];
        place.file[..tail.len()].copy_from_slice(tail);
        place.length = tail.len() as u8;
        place.line = at.line();
    }
    PLACE.with(|cell| cell.set(place));
}

/// Panics inside of a guard are reported by the guard, not to stderr. The hook affects only this library, which has its
/// own copy of std.
pub(crate) fn take_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if GUARDS.with(Cell::get) > 0 {
                remember(info.location())
            } else {
                before(info)
            }
        }));
    });
}

fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    GUARDS.with(|guards| guards.set(guards.get() + 1));
    let result = catch_unwind(AssertUnwindSafe(call));
    GUARDS.with(|guards| guards.set(guards.get() - 1));
    result.map_err(|payload| {
        let place = PLACE.with(|cell| cell.replace(NOWHERE));
        let file = String::from_utf8_lossy(&place.file[..place.length as usize]).into_owned();
        format!("panicked at {file}:{}: {}", place.line, message(payload))
    })
}

fn message(payload: Box<dyn Any + Send>) -> String {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        return text.to_string();
    }
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => {
            std::mem::forget(other); // its destructor might panic
            "something that is no text".into()
        }
    }
}

/// Sets the reason of the host's call that this thread runs.
fn because(core: &Core, cycle: *mut berth_cycle, text: &str) {
    if let Some(because) = core.host.because {
        let reason = borrow(text);
        unsafe { because(core.raw, cycle, &reason, 1) }
    }
}

impl At<'_> {
    fn because(&self, text: &str) {
        because(self.core, self.cycle, text)
    }

    fn fault(&self, verb: &str, what: &str) -> berth_status {
        self.because(&format!("plugin {}: {} {verb}{what}", self.plugin, self.call));
        BERTH_ERROR
    }

    fn deliver(&self, may: u32, answer: Result<Status, Error>) -> berth_status {
        let status = match answer {
            Ok(status) => status,
            Err(error) => {
                self.because(error.text());
                return BERTH_ERROR;
            }
        };
        if status.privilege() & !may != 0 {
            return self.fault("returned a status that is not its to return: ", &status.code().to_string());
        }
        if let (Some(reasons), Some(because)) = (status.reasons(), self.core.host.because) {
            reasons.lend(|texts| unsafe { because(self.core.raw, self.cycle, texts.as_ptr(), texts.len() as u32) });
        }
        status.code()
    }

    /// Runs a call that returns a status; `may`: the allowed special ones.
    pub fn status(&self, may: u32, call: impl FnOnce() -> Result<Status, Error>) -> berth_status {
        caught(|| self.deliver(may, call())).unwrap_or_else(|what| self.fault("", &what))
    }
    /// Runs a call that can only succeed or fail.
    pub fn done(&self, call: impl FnOnce() -> Result<(), Error>) -> berth_status {
        self.status(MAY_NOTHING_ELSE, || call().map(|()| Status::Success))
    }
    /// Runs a call without a status: logs a panic and reports it to the host, which counts it.
    pub fn quiet(&self, call: impl FnOnce()) {
        self.value((), call)
    }
    /// Runs a call that returns another value: logs and reports a panic, and then returns `otherwise`.
    pub fn value<T>(&self, otherwise: T, call: impl FnOnce() -> T) -> T {
        caught(call).unwrap_or_else(|what| {
            let text = format!("plugin {}: {} {what}", self.plugin, self.call);
            // Both are the host's and do not unwind.
            self.because(&text);
            self.core.log(BERTH_LOG_ERROR, 0, &text, &[]);
            otherwise
        })
    }
}

/// Runs code without a host that could report a panic; None: it panicked.
pub(crate) fn silent<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    caught(call)
}

/// Runs a callback of the host outside of the plugin's tables: logs a panic and reports it to the host.
pub(crate) fn logged(core: &Core, call: &'static str, work: impl FnOnce()) {
    if let Err(what) = caught(work) {
        let name = core.services.config.name.map_or("", |name| unsafe { crate::host::text_of(name(core.raw)) });
        let text = format!("plugin {name}: {call} {what}");
        because(core, std::ptr::null_mut(), &text);
        core.log(BERTH_LOG_ERROR, 0, &text, &[]);
    }
}
