//! One plugin instance: the struct that the host holds, the host as the instance sees it, and the plugin itself, which
//! lives from init to destroy. Init makes it, by `new` or by another instance.
use crate::abi::*;
use crate::events::{Registered, Registration};
use crate::guard::At;
use crate::host::{Core, Host};
use crate::library::Offers;
use crate::plugin::Plugin;
use crate::status::Error;
use crate::views::NOTHING;
use std::cell::{Cell, UnsafeCell};
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};
use std::sync::{Arc, Mutex};

#[repr(C)]
pub(crate) struct Instance<P: Offers> {
    face: berth_plugin,
    raw_host: *const berth_host,
    origin: Cell<Origin<P>>, // until init
    // Only init and destroy write it, and no other call runs at the same time.
    alive: UnsafeCell<Option<(P, Host)>>,
    /// PreFilter's names, until the instance's next PreFilter.
    pub names: Mutex<Vec<berth_id>>,
    interests: Mutex<Option<Registered>>,
}

type Prepare<P> = fn(&P, &Host) -> Result<P, Error>;

/// The source of the plugin.
enum Origin<P> {
    New,
    /// The current instance, which the host keeps until init has returned.
    Prepared(*const P, Prepare<P>),
}

impl<P: Offers> Origin<P> {
    unsafe fn make(self, host: &Host) -> Result<P, Error> {
        match self {
            Origin::New => P::new(host),
            Origin::Prepared(before, prepare) => prepare(&*before, host),
        }
    }
    /// The method that init calls, for texts.
    fn call(&self) -> &'static str {
        match self {
            Origin::New => "init",
            Origin::Prepared(..) => "prepare",
        }
    }
}

impl<P: Offers> Instance<P> {
    pub fn create(raw_host: *const berth_host) -> *mut berth_plugin {
        Self::made(raw_host, Origin::New)
    }
    /// An instance that `before` prepares; `before` must live until init has returned.
    pub fn create_from(before: &P, prepare: Prepare<P>, raw_host: *const berth_host) -> *mut berth_plugin {
        Self::made(raw_host, Origin::Prepared(before, prepare))
    }
    /// This cannot return NULL for a lack of memory: Rust then ends the process.
    fn made(raw_host: *const berth_host, origin: Origin<P>) -> *mut berth_plugin {
        let changes = P::TABLES.iter().any(|table| table.id == "berth.plugin.pod_change/1\0");
        let face = berth_plugin {
            size: std::mem::size_of::<berth_plugin>() as u32,
            rsv: 0,
            impl_: std::ptr::null_mut(),
            init: Some(Self::init),
            activate: Some(Self::activate),
            deactivate: Some(Self::deactivate),
            destroy: Some(Self::destroy),
            extension: Some(Self::extension),
            // A trial changes data only through PodChange; without it, trials share the data.
            cycle_clone: if changes { Some(Self::cycle_clone) } else { None },
            cycle_free: Some(Self::cycle_free),
        };
        let alive = UnsafeCell::new(None);
        let (origin, names, interests) = (Cell::new(origin), Mutex::default(), Mutex::default());
        let made = Box::new(Instance { face, raw_host, origin, alive, names, interests });
        let raw: *mut Instance<P> = Box::into_raw(made);
        unsafe {
            (*raw).face.impl_ = raw as *mut c_void;
            &mut (*raw).face
        }
    }

    pub unsafe fn of<'a>(p: *mut berth_plugin) -> &'a Self {
        &*((*p).impl_ as *const Self)
    }
    /// The plugin and the call from the host. Call it between init and destroy.
    pub fn at(&self, call: &'static str, cycle: *mut berth_cycle) -> (&P, At<'_>) {
        match unsafe { &*self.alive.get() } {
            Some((plugin, host)) => (plugin, At { core: &host.0, plugin: P::NAME, call, cycle }),
            None => unreachable!("a call before init or after destroy"),
        }
    }
    /// The result of `wanted`, which is called once; all events if it panics.
    pub fn register(&self, wanted: impl FnOnce(&P) -> Vec<Registration>) -> berth_list {
        let (plugin, at) = self.at("interests", std::ptr::null_mut());
        let mut kept = self.interests.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kept.is_none() {
            *kept = Some(at.value(None, || Some(Registered::new(wanted(plugin)))).unwrap_or_else(Registered::everything));
        }
        kept.as_ref().map_or(NOTHING, Registered::list)
    }

    unsafe extern "C" fn init(p: *mut berth_plugin) -> berth_status {
        let me = (*p).impl_ as *mut Self;
        let host = Host(Arc::new(Core::connect((*me).raw_host)));
        let core = host.0.clone();
        let origin = (*me).origin.replace(Origin::New);
        let at = At { core: &core, plugin: P::NAME, call: origin.call(), cycle: std::ptr::null_mut() };
        at.done(|| {
            require::<P>(&core)?;
            let plugin = origin.make(&host)?;
            *(*me).alive.get() = Some((plugin, host));
            Ok(())
        })
    }
    unsafe extern "C" fn activate(p: *mut berth_plugin) -> berth_status {
        let (plugin, at) = Self::of(p).at("activate", std::ptr::null_mut());
        at.done(|| plugin.activate())
    }
    unsafe extern "C" fn deactivate(p: *mut berth_plugin) {
        let (plugin, at) = Self::of(p).at("deactivate", std::ptr::null_mut());
        at.quiet(|| plugin.deactivate())
    }
    unsafe extern "C" fn destroy(p: *mut berth_plugin) {
        let me = Box::from_raw((*p).impl_ as *mut Self);
        if let Some((plugin, host)) = me.alive.into_inner() {
            let at = At { core: &host.0, plugin: P::NAME, call: "drop", cycle: std::ptr::null_mut() };
            at.quiet(|| drop(plugin))
        }
    }
    unsafe extern "C" fn extension(p: *mut berth_plugin, id: *const c_char) -> *const c_void {
        match (*Self::of(p).alive.get()).is_some() {
            true => crate::library::table_of::<P>(CStr::from_ptr(id)),
            false => std::ptr::null(),
        }
    }
    unsafe extern "C" fn cycle_free(p: *mut berth_plugin, data: *mut c_void) {
        let (_, at) = Self::of(p).at("dropping what it kept on a cycle", std::ptr::null_mut());
        at.quiet(|| crate::kept::free(data))
    }
    unsafe extern "C" fn cycle_clone(p: *mut berth_plugin, data: *const c_void) -> *mut c_void {
        let (_, at) = Self::of(p).at("copying what it kept on a cycle", std::ptr::null_mut());
        at.value(std::ptr::null_mut(), || crate::kept::clone(data))
    }
}

/// The services that every plugin of this crate needs; the note contains the same.
pub(crate) const NEEDS: [&str; 2] = [BERTH_SERVICE_CYCLE, BERTH_SERVICE_SNAPSHOT];

fn require<P: Plugin>(core: &Core) -> Result<(), Error> {
    match NEEDS.iter().chain(P::NEEDS).find(|id| !core.offers(id)) {
        Some(missing) => Err(Error::new(format!("this host offers no {missing}"))),
        None => Ok(()),
    }
}
