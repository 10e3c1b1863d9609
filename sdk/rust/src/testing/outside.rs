//! The plugin's environment, which a test simulates: time, other objects, the API server, and pods that wait in Permit.
use super::cluster::{FakeObject, FakePod};
use super::json::Json;
use super::PluginUnderTest;
use std::time::Duration;

/// A request of the plugin to the API server or, with a url, to another server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SentRequest {
    pub verb: String,
    pub group: String,
    pub version: String,
    pub resource: String,
    pub namespace: String,
    pub name: String,
    pub subresource: String,
    pub body: String,
    pub url: String,
    pub authorization: String,
}

impl SentRequest {
    fn read(raw: &Json) -> Self {
        SentRequest {
            verb: raw.text("verb"),
            group: raw.text("group"),
            version: raw.text("version"),
            resource: raw.text("resource"),
            namespace: raw.text("namespace"),
            name: raw.text("name"),
            subresource: raw.text("subresource"),
            body: raw.text("body"),
            url: raw.text("url"),
            authorization: raw.text("authorization"),
        }
    }
}

fn kind_of(group: &str, version: &str, resource: &str) -> String {
    [group, version, resource].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/")
}
fn split(text: &str, between: &str) -> (String, String) {
    let (before, after) = text.split_once(between).expect("two parts");
    (before.into(), after.into())
}

impl PluginUnderTest {
    /// Advances the clock by this time, and runs the tasks that become due, in order.
    pub fn advance(&self, time: Duration) {
        self.host.call("advance", Json::object([("ns", (time.as_nanos() as i64).into())]));
    }
    /// The uids of pods that the plugin put into the active queue.
    pub fn activated(&self) -> Vec<String> {
        self.call("activated").texts("uids")
    }

    /// Sets the server's version of the object. An active plugin that needs the kind receives the change; a plugin that
    /// starts later receives the object then.
    pub fn put_object(&self, group: &str, version: &str, resource: &str, object: FakeObject) {
        self.host.call("put", object.json(&kind_of(group, version, resource)));
    }
    /// Removes the object from the server. Panics if the server never had it.
    pub fn delete_object(&self, group: &str, version: &str, resource: &str, namespace: &str, name: &str) {
        let kind = kind_of(group, version, resource).into();
        self.host.call("delete", Json::object([("kind", kind), ("namespace", namespace.into()), ("name", name.into())]));
    }

    /// All requests to the API server, the oldest first.
    pub fn requests(&self) -> Vec<SentRequest> {
        self.call("requests").list("requests").iter().map(SentRequest::read).collect()
    }
    /// Answers the oldest request that has no answer yet. False: there is none.
    pub fn reply(&self, code: i32, body: &str, reason: &str, message: &str) -> bool {
        let code = i64::from(code).into();
        let reply = [("code", code), ("body", body.into()), ("reason", reason.into()), ("message", message.into())];
        self.host.call("reply", Json::object(reply)).is("answered")
    }
    /// Events: "type reason action namespace/pod related: note", with "-" for no related pod.
    pub fn events(&self) -> Vec<String> {
        self.call("events").texts("texts")
    }
    /// (uid of the pod, node) of each Binding that the host sent for the plugin.
    pub fn bound(&self) -> Vec<(String, String)> {
        self.call("bindings").texts("texts").iter().map(|one| split(one, " -> ")).collect()
    }
    /// A pod that waits in Permit.
    pub fn add_waiting(&self, pod: &FakePod) {
        self.host.call("add_waiting", Json::object([("pod", pod.json())]));
    }
    /// The plugin's decisions about waiting pods: (uid, None) for allowed pods, then (uid, why) for rejected ones.
    pub fn decided(&self) -> Vec<(String, Option<String>)> {
        let answer = self.call("decided");
        let allowed = answer.texts("allowed").into_iter().map(|uid| (uid, None));
        let rejected = answer.texts("rejected").into_iter().map(|one| {
            let (uid, why) = split(&one, ": ");
            (uid, Some(why))
        });
        allowed.chain(rejected).collect()
    }
}
