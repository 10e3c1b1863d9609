//! Requests to servers other than the API server, and the documents that they answer.
use berth_plugin::constants::*;
use berth_plugin::services::HttpRequest;
use berth_plugin::testing::{FakeNode, FakePod, PluginUnderTest};
use berth_plugin::*;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use std::time::Duration;

struct Asking {
    host: Host,
    answer: Arc<AtomicI64>,
}
impl Plugin for Asking {
    const NAME: &'static str = "asking";
    const VENDOR: &'static str = "example.org";
    const USES: &'static [&'static str] = &[BERTH_SERVICE_HTTP, BERTH_SERVICE_JSON];
    fn new(host: &Host) -> Result<Self, Error> {
        Ok(Asking { host: host.clone(), answer: Arc::new(AtomicI64::new(-1)) })
    }
    fn activate(&self) -> Result<(), Error> {
        let (host, answer) = (self.host.clone(), self.answer.clone());
        let request = HttpRequest { url: "http://load/watcher", authorization: "Bearer t", timeout: Duration::from_secs(5), ..Default::default() };
        self.host.http_get(&request, move |reply| {
            let read = host.read_json(reply.body, |document| document.get("load").as_i64());
            answer.store(read.flatten().unwrap_or(-2), Ordering::SeqCst);
        });
        Ok(())
    }
}
impl Score for Asking {
    fn score(&self, _: &Cycle, _: &Pod, _: &Node) -> Result<i64, Error> {
        Ok(self.answer.load(Ordering::SeqCst))
    }
}

library!(Asking: score);

fn score_after(code: i32, body: &str) -> i64 {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "asking");
    plugin.add(FakeNode::new("n"));
    plugin.start().unwrap();
    let requests = plugin.requests();
    assert_eq!((requests[0].verb.as_str(), requests[0].url.as_str()), ("GET", "http://load/watcher"));
    assert_eq!(requests[0].authorization, "Bearer t");
    assert!(plugin.reply(code, body, "", ""));
    let score = plugin.attempt(FakePod::new("p")).score().unwrap()["n"];
    score
}

#[test]
fn a_reply_is_read() {
    assert_eq!(score_after(200, r#"{"load": 42}"#), 42);
}

#[test]
fn a_text_that_is_no_json_has_no_document() {
    assert_eq!(score_after(200, "<html>"), -2);
}
