//! Objects other than pods and nodes, as the fake host keeps them.
use super::cluster::{labels, leak, leak_list};
use super::json::Json;
use super::services::of;
use super::PluginUnderTest;
use crate::abi::*;
use crate::host::{borrow, text_of};
use std::collections::BTreeMap;
use std::mem::size_of;

/// An object of any kind.
#[derive(Clone, Default)]
pub struct FakeObject {
    name: String,
    namespace: String,
    labels: BTreeMap<String, String>,
    value: Option<Json>,
}

impl FakeObject {
    /// Without a namespace.
    pub fn new(name: &str) -> Self {
        FakeObject { name: name.into(), ..Default::default() }
    }
    /// metadata.namespace
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = namespace.into();
        self
    }
    /// One more label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }
    /// The document.
    pub fn value(mut self, value: Json) -> Self {
        self.value = Some(value);
        self
    }
}

#[derive(Clone, Copy)]
struct View(&'static berth_object);
unsafe impl Send for View {} // never changes

#[derive(Default)]
struct Kind {
    needed: bool,
    version: u64,
    objects: BTreeMap<(String, String), View>, // by namespace and name
}

/// By "group/version/resource"; a kind's number is its place, from 1.
#[derive(Default)]
pub(crate) struct Kinds {
    names: Vec<String>,
    kinds: Vec<Kind>,
}

impl Kinds {
    fn number(&mut self, name: &str) -> u32 {
        let place = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.into());
            self.kinds.push(Kind { version: 1, ..Default::default() });
            self.names.len() - 1
        });
        place as u32 + 1
    }
    fn kind(&mut self, number: u32) -> &mut Kind {
        let kind = number.checked_sub(1).and_then(|place| self.kinds.get_mut(place as usize));
        kind.filter(|kind| kind.needed).expect("a kind that was needed")
    }
}

fn name_of(group: &str, version: &str, resource: &str) -> String {
    format!("{group}/{version}/{resource}")
}

#[rustfmt::skip]
pub(crate) unsafe extern "C" fn need(host: *const berth_host, group: berth_str, version: berth_str, resource: berth_str) -> u32 {
    let mut kinds = of(host).beside.kinds.lock().unwrap();
    let number = kinds.number(&name_of(text_of(group), text_of(version), text_of(resource)));
    kinds.kinds[number as usize - 1].needed = true;
    number
}
pub(crate) unsafe extern "C" fn get(host: *const berth_host, kind: u32, ns: berth_str, name: berth_str) -> *const berth_object {
    let key = (text_of::<'_>(ns).to_string(), text_of::<'_>(name).to_string());
    let mut kinds = of(host).beside.kinds.lock().unwrap();
    kinds.kind(kind).objects.get(&key).map_or(std::ptr::null(), |view| view.0)
}
pub(crate) unsafe extern "C" fn list(host: *const berth_host, kind: u32, ns: berth_str) -> berth_list {
    let ns = text_of::<'_>(ns);
    let mut kinds = of(host).beside.kinds.lock().unwrap();
    let wanted = kinds.kind(kind).objects.iter().filter(|((of, _), _)| ns.is_empty() || of == ns);
    leak_list(wanted.map(|(_, view)| view.0 as *const berth_object).collect())
}
pub(crate) unsafe extern "C" fn version(host: *const berth_host, kind: u32) -> u64 {
    of(host).beside.kinds.lock().unwrap().kind(kind).version
}

impl PluginUnderTest {
    /// Sets the object as the server has it. An active plugin that needs the kind receives the change; a plugin that
    /// starts later receives the object then.
    pub fn put_object(&self, group: &str, version: &str, resource: &str, object: FakeObject) {
        let null = leak(Json::Null);
        let value = object.value.clone().map_or(&*null, |value| leak(value));
        let view = leak(berth_object {
            size: size_of::<berth_object>() as u32,
            rsv: 0,
            ns: borrow(leak(object.namespace.clone())),
            name: borrow(leak(object.name.clone())),
            uid: borrow(leak(object.name.clone())),
            resource_version: borrow("1"),
            labels: labels(&object.labels, &|text| self.host.intern(text)),
            value: value.raw(),
        });
        self.change_object(&name_of(group, version, resource), (object.namespace, object.name), Some(View(view)))
    }
    /// The server has it no longer.
    pub fn delete_object(&self, group: &str, version: &str, resource: &str, namespace: &str, name: &str) {
        self.change_object(&name_of(group, version, resource), (namespace.into(), name.into()), None)
    }

    fn change_object(&self, kind: &str, key: (String, String), now: Option<View>) {
        let mut kinds = self.host.beside.kinds.lock().unwrap();
        let number = kinds.number(kind);
        let kind = &mut kinds.kinds[number as usize - 1];
        let before = match now {
            Some(view) => kind.objects.insert(key, view),
            None => kind.objects.remove(&key),
        };
        kind.version += 1;
        let needed = kind.needed;
        drop(kinds); // the plugin may read
        if needed && self.active {
            self.tell_object(number, before, now)
        }
    }
    /// What there is already, of the kinds that are needed.
    pub(super) fn tell_objects(&self) {
        let kinds = self.host.beside.kinds.lock().unwrap();
        let needed = kinds.kinds.iter().enumerate().filter(|(_, kind)| kind.needed);
        let all: Vec<_> = needed.flat_map(|(i, kind)| kind.objects.values().map(move |view| (i as u32 + 1, *view))).collect();
        drop(kinds);
        all.into_iter().for_each(|(number, view)| self.tell_object(number, None, Some(view)))
    }
    fn tell_object(&self, number: u32, before: Option<View>, now: Option<View>) {
        let raw = |view: Option<View>| view.map_or(std::ptr::null(), |view| view.0 as *const berth_object);
        if let Some(table) = self.maybe_offered::<berth_object_changes>(BERTH_POINT_OBJECTS) {
            let call = table.changed.expect("changed");
            self.host.told(|| unsafe { call(self.instance, number, raw(before), raw(now)) })
        }
    }
}
