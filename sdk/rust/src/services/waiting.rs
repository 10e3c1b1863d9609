//! Pods that Permit holds, of every profile. `BERTH_SERVICE_WAITING`.
use crate::abi::*;
use crate::host::{ask, borrow, Core, Host};
use crate::views::Pod;
use std::any::Any;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

struct Asked<'a> {
    core: &'a Core,
    tell: &'a mut dyn FnMut(&Pod),
    panic: Option<Box<dyn Any + Send>>, // which must not unwind through the host
}

unsafe extern "C" fn each(ctx: *mut c_void, pod: *const berth_pod) {
    let asked = &mut *(ctx as *mut Asked);
    if asked.panic.is_none() {
        asked.panic = catch_unwind(AssertUnwindSafe(|| (asked.tell)(&Pod::new(asked.core, pod)))).err();
    }
}

impl Host {
    /// Calls this for each pod that waits now.
    pub fn each_waiting(&self, mut tell: impl FnMut(&Pod)) {
        let mut asked = Asked { core: &self.0, tell: &mut tell, panic: None };
        let call = ask!(self.0, waiting.each);
        unsafe { call(self.0.raw, Some(each), &mut asked as *mut Asked as *mut c_void) };
        if let Some(panic) = asked.panic {
            resume_unwind(panic)
        }
    }
    /// Allows the pod for this plugin. False: it is not waiting.
    pub fn allow_waiting(&self, uid: &str) -> bool {
        unsafe { ask!(self.0, waiting.allow)(self.0.raw, borrow(uid)) != 0 }
    }
    /// Rejects the pod. False: it is not waiting.
    pub fn reject_waiting(&self, uid: &str, reason: &str) -> bool {
        unsafe { ask!(self.0, waiting.reject)(self.0.raw, borrow(uid), borrow(reason)) != 0 }
    }
}
