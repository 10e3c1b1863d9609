//! The object behind a cycle's data pointer: a value with its type, in one allocation. The host keeps the pointer,
//! returns it to the plugin, and frees the value through cycle_free; cycle_clone makes a trial's copy.
use std::any::{Any, TypeId};
use std::os::raw::c_void;
use std::sync::atomic::{fence, AtomicU32, Ordering};

struct Ops {
    free: unsafe fn(*mut Head),
    copy: Option<unsafe fn(*mut Head) -> *mut Head>, // None: trials share the value
}

#[repr(C)]
struct Head {
    kind: TypeId,
    ops: &'static Ops,
    owners: AtomicU32,
}

#[repr(C)]
struct Kept<T> {
    head: Head,
    value: T,
}

unsafe fn free_value<T>(head: *mut Head) {
    drop(Box::from_raw(head as *mut Kept<T>))
}
unsafe fn copy_value<T: Any + Clone + Send + Sync>(head: *mut Head) -> *mut Head {
    let copy = (*(head as *mut Kept<T>)).value.clone();
    copied(copy) as *mut Head
}

trait Shares {
    const OPS: &'static Ops;
}
impl<T> Shares for T {
    const OPS: &'static Ops = &Ops { free: free_value::<T>, copy: None };
}
trait Copies {
    const OPS: &'static Ops;
}
impl<T: Any + Clone + Send + Sync> Copies for T {
    const OPS: &'static Ops = &Ops { free: free_value::<T>, copy: Some(copy_value::<T>) };
}

fn boxed<T: Any>(value: T, ops: &'static Ops) -> *mut c_void {
    let head = Head { kind: TypeId::of::<T>(), ops, owners: AtomicU32::new(1) };
    Box::into_raw(Box::new(Kept { head, value })) as *mut c_void
}
/// A value that trials share.
pub(crate) fn shared<T: Any + Send + Sync>(value: T) -> *mut c_void {
    boxed(value, <T as Shares>::OPS)
}
/// A value that every trial gets a copy of.
pub(crate) fn copied<T: Any + Clone + Send + Sync>(value: T) -> *mut c_void {
    boxed(value, <T as Copies>::OPS)
}

/// None: nothing was set, or a value of another type.
pub(crate) unsafe fn look<'a, T: Any>(data: *const c_void) -> Option<&'a T> {
    let head = (data as *const Head).as_ref()?;
    (head.kind == TypeId::of::<T>()).then(|| &(*(data as *const Kept<T>)).value)
}
/// Also None if a trial shares the value. Only the caller's call has this pointer.
pub(crate) unsafe fn look_mut<'a, T: Any>(data: *mut c_void) -> Option<&'a mut T> {
    let head = (data as *const Head).as_ref()?;
    let alone = head.owners.load(Ordering::Acquire) == 1;
    (alone && head.kind == TypeId::of::<T>()).then(|| &mut (*(data as *mut Kept<T>)).value)
}

/// Removes one owner.
pub(crate) unsafe fn free(data: *mut c_void) {
    let head = data as *mut Head;
    if (*head).owners.fetch_sub(1, Ordering::Release) == 1 {
        fence(Ordering::Acquire);
        ((*head).ops.free)(head)
    }
}
/// For a trial: makes a copy, or adds one owner.
pub(crate) unsafe fn clone(data: *const c_void) -> *mut c_void {
    let head = data as *mut Head;
    match (*head).ops.copy {
        Some(copy) => copy(head) as *mut c_void,
        None => {
            (*head).owners.fetch_add(1, Ordering::Relaxed);
            head as *mut c_void
        }
    }
}

#[test]
fn clones_copy_or_share_as_the_value_was_set() {
    unsafe {
        let own = copied(vec![1]);
        let copy = clone(own);
        look_mut::<Vec<i32>>(copy).unwrap().push(2);
        assert_eq!((look::<Vec<i32>>(own).unwrap().len(), look::<Vec<i32>>(copy).unwrap().len()), (1, 2));
        assert!(look::<u8>(own).is_none() && look::<u8>(std::ptr::null()).is_none());
        let value = std::sync::Arc::new(());
        let one = shared(value.clone());
        let other = clone(one);
        assert!(other == one && look_mut::<std::sync::Arc<()>>(other).is_none());
        [own, copy, one].into_iter().for_each(|data| free(data));
        assert_eq!(std::sync::Arc::strong_count(&value), 2);
        assert!(look_mut::<std::sync::Arc<()>>(other).is_some());
        free(other);
        assert_eq!(std::sync::Arc::strong_count(&value), 1);
    }
}
