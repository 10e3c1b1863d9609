//! The host as one plugin instance sees it.
use crate::abi::*;
use crate::status::Error;
use crate::value::Value;
use std::mem::{size_of, MaybeUninit};
use std::os::raw::{c_char, c_void};
use std::sync::Arc;

/// An interned string: equal ids are equal strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Id(pub berth_id);

impl Id {
    /// No string at all.
    pub const ABSENT: Id = Id(BERTH_ID_ABSENT);
    /// The string "".
    pub const EMPTY: Id = Id(BERTH_ID_EMPTY);
}

/// A table as this crate knows it. Functions that an older host's table lacks or leaves NULL are `None` here;
/// additional functions of a newer host are left out.
unsafe fn copy_of<T: Copy>(raw: *const c_void) -> T {
    let mut copy = MaybeUninit::<T>::zeroed();
    if !raw.is_null() {
        let offered = *(raw as *const u32) as usize & !7; // no half of a pointer
        std::ptr::copy_nonoverlapping(raw as *const u8, copy.as_mut_ptr() as *mut u8, offered.min(size_of::<T>()));
    }
    copy.assume_init() // integers, and pointers to functions as Option: zero is a value of each
}

macro_rules! services {
    ($($field:ident: $table:ty = $id:literal),+ $(,)?) => {
        #[derive(Clone, Copy)]
        pub(crate) struct Services { $(pub $field: $table),+ }
        impl Services {
            unsafe fn connect(host: &berth_host, raw: *const berth_host) -> Self {
                Services { $($field: copy_of(match host.service {
                    Some(service) => service(raw, concat!($id, "\0").as_ptr() as *const c_char),
                    None => std::ptr::null(),
                })),+ }
            }
        }
        #[cfg(test)]
        pub(crate) const SERVICE_IDS: &[&str] = &[$($id),+];
    };
}
services! {
    value: berth_values = "berth.host.value/1",
    config: berth_config = "berth.host.config/1",
    log: berth_log = "berth.host.log/1",
    snapshot: berth_snapshot = "berth.host.snapshot/1",
    cycle: berth_cycles = "berth.host.cycle/1",
    requests: berth_requests = "berth.host.requests/1",
    selectors: berth_selectors = "berth.host.selectors/1",
    binder: berth_binder = "berth.host.binder/1",
    waiting: berth_waiting = "berth.host.waiting/1",
    random: berth_random = "berth.host.random/1",
    tasks: berth_tasks = "berth.host.tasks/1",
    api: berth_api = "berth.host.api/1",
    http: berth_http = "berth.host.http/1",
    json: berth_json = "berth.host.json/1",
    kept: berth_kept = "berth.host.kept/1",
    objects: berth_objects = "berth.host.objects/1",
    matching: berth_matching = "berth.host.matching/1",
    domains: berth_domain_columns = "berth.host.domains/1",
    pod_sets: berth_pod_sets = "berth.host.pod_sets/1",
    nominate: berth_nominations = "berth.host.nominate/1",
    pods: berth_pods = "berth.host.pods/1",
    trial: berth_trials = "berth.host.trial/1",
    extenders: berth_extenders = "berth.host.extenders/1",
    metrics: berth_metrics = "berth.host.metrics/1",
}

/// The function of a service, or a panic, which the guard turns into an ERROR.
macro_rules! ask {
    ($core:expr, $service:ident . $function:ident) => {
        match $core.services.$service.$function {
            Some(function) => function,
            None => panic!("this host offers no {}.{}", stringify!($service), stringify!($function)),
        }
    };
    ($core:expr, $function:ident) => {
        match $core.host.$function {
            Some(function) => function,
            None => panic!("this host offers no {}", stringify!($function)),
        }
    };
}
pub(crate) use ask;

/// The data that all handles of one host share. Valid until destroy, like the tables themselves.
pub(crate) struct Core {
    pub raw: *const berth_host,
    pub host: berth_host,
    pub services: Services,
}
// Every function of a Host is [any]; the others belong to the arguments of a call.
unsafe impl Send for Core {}
unsafe impl Sync for Core {}

impl Core {
    /// To be called in init or later, or with the host of complete and check.
    pub unsafe fn connect(raw: *const berth_host) -> Self {
        let host: berth_host = copy_of(raw as *const c_void);
        Core { raw, host, services: Services::connect(&host, raw) }
    }
    pub fn offers(&self, id: &str) -> bool {
        let id = format!("{id}\0");
        let found = self.host.service.map(|service| unsafe { service(self.raw, id.as_ptr() as *const c_char) });
        found.map_or(false, |table| !table.is_null())
    }
}

/// The host: strings, args, the log. Cheap to clone, may be used from any thread until the plugin is dropped.
#[derive(Clone)]
pub struct Host(pub(crate) Arc<Core>);

impl Host {
    /// Whether this host has the service: `constants::BERTH_SERVICE_*`.
    pub fn offers(&self, service: &str) -> bool {
        self.0.offers(service)
    }
    /// The host's minor version of the ABI.
    pub fn abi_minor(&self) -> u32 {
        self.0.host.abi_minor
    }
    /// In activate only: makes the host keep an optional column, `BERTH_NODE_LABEL` of a key.
    pub fn open_column(&self, what: u32, key: Id) -> Result<(), Error> {
        match unsafe { ask!(self.0, snapshot.open_column)(self.0.raw, what, key.0) } {
            0 => Ok(()),
            _ => Err(Error::new(format!("the host refused to open column {what} of {:?}", self.text(key)))),
        }
    }
    /// Owned by this instance until [`Host::drop_id`] or its end.
    pub fn intern(&self, text: &str) -> Id {
        Id(unsafe { ask!(self.0, intern)(self.0.raw, borrow(text)) })
    }
    /// Owns an id that was read from a pod or node; without this, the id is valid only for the call.
    pub fn keep(&self, id: Id) {
        unsafe { ask!(self.0, keep)(self.0.raw, id.0) }
    }
    /// Reverts one intern or keep.
    pub fn drop_id(&self, id: Id) {
        unsafe { ask!(self.0, drop)(self.0.raw, id.0) }
    }
    /// The string of an id that is owned, or that belongs to the running call; "" for `Id::ABSENT`.
    pub fn text(&self, id: Id) -> &str {
        unsafe { text_of(ask!(self.0, text)(self.0.raw, id.0)) }
    }
    /// The plugin's args from the profile, completed and checked; null if there are none.
    pub fn args(&self) -> Value<'_> {
        Value::new(&self.0, unsafe { ask!(self.0, config.args)(self.0.raw) })
    }
    /// The same as JSON text, for plugins with their own reader.
    pub fn args_json(&self) -> String {
        self.args().to_json()
    }
    /// schedulerName of the profile.
    pub fn profile(&self) -> &str {
        unsafe { text_of(ask!(self.0, config.profile)(self.0.raw)) }
    }
    /// The plugin's name in the profile, which a binding may have changed.
    pub fn name(&self) -> &str {
        unsafe { text_of(ask!(self.0, config.name)(self.0.raw)) }
    }
    /// Whether lines of this verbosity are logged. Check it before you format.
    pub fn verbose(&self, v: i32) -> bool {
        self.0.services.log.enabled.map_or(false, |enabled| unsafe { enabled(self.0.raw, v) != 0 })
    }
    /// A line of verbosity v; fields are appended as `key="value"`.
    #[track_caller]
    pub fn info(&self, v: i32, message: &str, fields: &[(&str, &str)]) {
        self.0.log(BERTH_LOG_INFO, v, message, fields)
    }
    /// A warning.
    #[track_caller]
    pub fn warning(&self, message: &str, fields: &[(&str, &str)]) {
        self.0.log(BERTH_LOG_WARNING, 0, message, fields)
    }
    /// An error that is no call's outcome.
    #[track_caller]
    pub fn error(&self, message: &str, fields: &[(&str, &str)]) {
        self.0.log(BERTH_LOG_ERROR, 0, message, fields)
    }
}

impl Core {
    /// A host without a log drops the line.
    #[track_caller]
    pub fn log(&self, severity: i32, v: i32, message: &str, fields: &[(&str, &str)]) {
        let place = std::panic::Location::caller();
        let keys: Vec<berth_str> = fields.iter().map(|(key, _)| borrow(key)).collect();
        let values: Vec<berth_str> = fields.iter().map(|(_, value)| borrow(value)).collect();
        if let Some(log) = self.services.log.log {
            let (file, line) = (borrow(place.file()), place.line() as i32);
            let n = fields.len() as u32;
            unsafe { log(self.raw, severity, v, file, line, borrow(message), keys.as_ptr(), values.as_ptr(), n) }
        }
    }
}

pub(crate) fn borrow(text: &str) -> berth_str {
    berth_str { ptr: text.as_ptr() as *const c_char, len: text.len() as u64 }
}

/// Text borrowed from the host, for the lifetime that the caller chooses. Invalid UTF-8, which a correct host never
/// returns, becomes "".
pub(crate) unsafe fn text_of<'a>(text: berth_str) -> &'a str {
    if text.ptr.is_null() || text.len == 0 {
        return "";
    }
    std::str::from_utf8(std::slice::from_raw_parts(text.ptr as *const u8, text.len as usize)).unwrap_or("")
}

pub(crate) fn borrow_bytes(bytes: &[u8]) -> berth_str {
    berth_str { ptr: bytes.as_ptr() as *const c_char, len: bytes.len() as u64 }
}
/// Bytes that a plugin wrote in its own format.
pub(crate) unsafe fn bytes_of<'a>(text: berth_str) -> &'a [u8] {
    if text.ptr.is_null() || text.len == 0 {
        return &[];
    }
    std::slice::from_raw_parts(text.ptr as *const u8, text.len as usize)
}

#[test]
fn services_are_asked_for_by_the_ids_of_the_headers() {
    let stable = [
        BERTH_SERVICE_VALUE, BERTH_SERVICE_CONFIG, BERTH_SERVICE_LOG, BERTH_SERVICE_SNAPSHOT, BERTH_SERVICE_CYCLE,
        BERTH_SERVICE_REQUESTS, BERTH_SERVICE_SELECTORS, BERTH_SERVICE_BINDER, BERTH_SERVICE_WAITING,
        BERTH_SERVICE_RANDOM, BERTH_SERVICE_TASKS, BERTH_SERVICE_API, BERTH_SERVICE_OBJECTS, BERTH_SERVICE_MATCHING,
        BERTH_SERVICE_DOMAINS, BERTH_SERVICE_POD_SETS, BERTH_SERVICE_TRIAL, BERTH_SERVICE_NOMINATE, BERTH_SERVICE_EXTENDERS,
        BERTH_SERVICE_METRICS, BERTH_SERVICE_HTTP, BERTH_SERVICE_JSON, BERTH_SERVICE_KEPT,
    ];
    let mut wanted = [&stable[..], DRAFT_SERVICES].concat();
    let mut asked = SERVICE_IDS.to_vec();
    wanted.sort_unstable();
    asked.sort_unstable();
    assert_eq!(asked, wanted);
}
