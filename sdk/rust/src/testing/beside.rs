//! The fake host's state beside the cluster, and its clock: nothing runs until the test says how much time passes.
use super::objects::Kinds;
use super::outside::Outside;
use super::services::of;
use super::PluginUnderTest;
use crate::abi::*;
use crate::host::text_of;
use std::mem::size_of;
use std::os::raw::c_void;
use std::sync::Mutex;
use std::time::Duration;

struct Task {
    due: i64,
    run: unsafe extern "C" fn(*mut c_void, i32),
    arg: *mut c_void,
}
// The plugin's, which posts it from any thread.
unsafe impl Send for Task {}

#[derive(Default)]
pub(crate) struct Beside {
    clock: Mutex<(i64, Vec<Task>)>,
    activated: Mutex<Vec<String>>,
    pub kinds: Mutex<Kinds>,
    pub outside: Outside,
}

impl Beside {
    fn next(&self, until: i64) -> Option<Task> {
        let mut clock = self.clock.lock().unwrap();
        // The first of the earliest: equal times keep the order of the posts.
        let due = clock.1.iter().map(|task| task.due).min().filter(|due| *due <= until);
        if due.is_none() {
            clock.0 = until;
        }
        let first = clock.1.iter().position(|task| Some(task.due) == due)?;
        clock.0 = due.unwrap_or(until);
        Some(clock.1.remove(first))
    }
    /// The instance ends: what has not run does not.
    pub fn end(&self) {
        loop {
            let task = self.clock.lock().unwrap().1.pop();
            match task {
                Some(task) => unsafe { (task.run)(task.arg, 0) },
                None => return,
            }
        }
    }
}

type Run = Option<unsafe extern "C" fn(*mut c_void, i32)>;

unsafe extern "C" fn post(host: *const berth_host, delay_ns: i64, run: Run, arg: *mut c_void) {
    let mut clock = of(host).beside.clock.lock().unwrap();
    let due = clock.0.saturating_add(delay_ns);
    clock.1.push(Task { due, run: run.expect("a task"), arg })
}
unsafe extern "C" fn activate(host: *const berth_host, uid: berth_str) -> i32 {
    of(host).beside.activated.lock().unwrap().push(text_of::<'_>(uid).into());
    1
}
unsafe extern "C" fn wall_unix_ns(host: *const berth_host) -> i64 {
    of(host).beside.clock.lock().unwrap().0
}
pub(crate) const TASKS: berth_tasks = berth_tasks {
    size: size_of::<berth_tasks>() as u32,
    rsv: 0,
    post: Some(post),
    activate: Some(activate),
    wall_unix_ns: Some(wall_unix_ns),
};

impl PluginUnderTest {
    /// Lets this much time pass, and runs the tasks that are due meanwhile, in order.
    pub fn advance(&self, time: Duration) {
        let beside = &self.host.beside;
        let until = beside.clock.lock().unwrap().0 + time.as_nanos() as i64;
        while let Some(task) = beside.next(until) {
            self.host.told(|| unsafe { (task.run)(task.arg, 1) })
        }
    }
    /// The uids of pods that the plugin put into the active queue.
    pub fn activated(&self) -> Vec<String> {
        self.host.beside.activated.lock().unwrap().clone()
    }
}
