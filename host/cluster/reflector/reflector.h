// Keeps a feed up to date with the objects of one kind: it lists them, watches them, resumes a broken watch, and lists
// again if the server no longer has the version to resume from. Source: k8s.io/client-go/tools/cache/reflector.go.
//
// Thread: a reflector has none. It waits and decides on the I/O thread (client/http/io_thread.h), decodes a paged list
// on a thread that exists only meanwhile, and decodes an event of a watch on the thread of the transport that receives
// it. Ownership: this object, transport, and feed must live until `ended` of Start has begun. Objects are decoded when
// they arrive and not stored: a streamed list needs the memory of its largest object, and other lists that of a page.
// Only if the server has dropped the version of the first pages is a list received whole, up to
// ClientOptions::max_body_bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "api/json_items.h"
#include "base/async.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "client/requests/api_status.h"
#include "client/requests/encoding.h"
#include "cluster/reflector/object_feed.h"
#include "cluster/reflector/outage.h"
#include "cluster/reflector/progress.h"
#include "cluster/reflector/protobuf_use.h"
#include "cluster/reflector/retry_delay.h"

namespace berth::reflector {

struct ResourceKind {
  std::string path;            // "/api/v1/pods"
  std::string group;           // "" for core
  std::string resource;        // "pods": as RBAC names it
  std::string field_selector;  // "" = all
  // If the server does not know the kind or refuses to list it, it counts as empty.
  bool optional = false;
  std::string needed_by;  // plugins, for the log; "": the scheduler itself
};
extern const ResourceKind kNodes;
extern const ResourceKind kUnfinishedPods;  // neither Succeeded nor Failed

class Reflector {
 public:
  Reflector(ResourceKind kind, http::Transport& transport, ObjectFeed& feed, uint64_t seed,
            RetryDelay delay = RetryDelay());

  // Lists and watches until stop is requested; then calls ended on the I/O thread, which may destroy this object. Call
  // it once. Any thread.
  void Start(std::stop_token stop, std::function<void()> ended);
  // Blocks until the feed has everything that the server has at the time of the call: until the watch has reached the
  // server's resourceVersion, or a new list is complete. The watch goes on until the server has answered. If the server
  // answers and cannot list an optional kind, that ends after the time of set_unreadable_timeout_ns: the feed then
  // keeps the objects that it has. False: stop was requested first. One call at a time; any thread but those of the
  // transport.
  bool CatchUp(const std::stop_token& stop);
  // How long a failure lasts before it is logged and an optional kind counts as empty. Call it before Start.
  void set_unreadable_timeout_ns(int64_t ns) { unreadable_timeout_ns_ = ns; }
  // Whether to ask for protobuf, if the kind has it; the server may still answer in JSON. After some answers that
  // cannot be read, the reflector asks for JSON. Call it before Start.
  void set_protobuf(bool wanted) { protobuf_.set_wanted(wanted); }
  // CatchUp requests the objects in place of the version if the last list had fewer objects than this; 0: never. Call
  // it before Start.
  void set_short_list(size_t objects) { short_list_ = objects; }

  // Any thread.
  bool listed() const { return listed_.load(std::memory_order_acquire); }
  // Why there is no list yet, for readiness and the log; "": there is one, nothing failed, or the kind counts as empty.
  std::string trouble() const;
  // Since when the objects cannot be watched; nullopt: they can, or there was no request yet.
  std::optional<Outage::State> outage() const { return outage_.state(); }

 private:
  static constexpr int kPageSize = 500;
  enum class Way { kWatchList, kPages };  // how to list; each list tries kWatchList first, as in client-go
  base::Async<void> RunTo(std::stop_token stop, std::function<void()> ended);
  base::Async<void> ServeRequest(const std::stop_source& exchange);
  base::Async<void> TakeList(const http::Reply& reply);
  base::Async<void> RunUntil(std::stop_token stop);  // until the next new list that CatchUp requests
  struct ServerState {
    std::string version;
    std::optional<http::Reply> list;  // all objects, if the server was asked for them
  };
  std::optional<ServerState> AskServer(const std::stop_token& stop);
  http::Request StateRequest(bool whole) const;
  static std::optional<ServerState> StateOf(http::Reply& reply, bool whole);
  void LogStaysBehind(const std::string& why);
  uint64_t RequestList(std::optional<http::Reply> list);
  bool HasShortList() const { return listed() && objects_listed_.load() < short_list_; }
  void Reached(std::string version);
  // One exchange with the server. Returns false if the next one needs a delay.
  base::Async<bool> ListAndWatch(std::stop_token stop);
  base::Async<bool> ListPages(std::stop_token stop);
  base::Async<bool> ListWhole();
  http::Request RequestFor(std::string path) const;
  std::string ListPath(const std::string& query) const;
  base::Async<std::optional<api::ListMetadata>> OnPage(const http::Reply& reply);
  std::function<void()> PageReader(const http::Reply& reply, base::Result<api::ListMetadata>& into);
  bool OnLastPage(const api::ListMetadata& metadata);
  base::Async<bool> Watch(std::stop_token stop);
  base::Async<bool> Stream(std::string query, std::stop_token stop);
  bool NeedsNewList(const requests::ApiStatus& refusal);  // of a watch
  // Handles a line or frame of a watch. Returns false if the stream must be closed.
  bool OnEvent(requests::Encoded event);
  bool OnError(requests::Encoded status);
  // Notes that the server sent no list or no event.
  void Unreadable(const std::string& reason);
  // Adds or replaces an object. An object that cannot be decoded keeps its previous version and counts as present. The
  // error says that it is not known which object it is, so that only a complete list tells what the server has.
  base::Result<void> OnObject(requests::Encoded object);
  base::Result<ObjectFeed::Seen> Pass(requests::Encoded object);
  base::Result<void> OnGone(requests::Encoded object);
  void OnListed();
  void Failed(const requests::ApiStatus& status, const char* verb);
  int64_t LogAt() const;
  void LogIfItLasts();
  void LogFailure(const char* what);
  bool MayCountAsEmpty() const;
  void CountAsEmpty();
  void StartList();
  void Recovered();

  const ResourceKind kind_;
  ProtobufUse protobuf_;
  http::Transport& transport_;
  ObjectFeed& feed_;
  base::Random random_;
  RetryDelay delay_;

  Way way_ = Way::kWatchList;
  std::string version_;  // resourceVersion to continue from; "": list again
  bool listing_ = false;
  bool received_ = false;                   // the current stream has delivered something
  bool feed_has_objects_ = false;           // the feed has objects: of an incomplete list if no list was complete
  int refused_watches_ = 0;                 // one after the other
  std::shared_ptr<base::TextSet> present_;  // the keys of the current list, unless it is the first
  std::atomic<bool> listed_{false};
  size_t objects_listing_ = 0;             // of the current list, so far
  std::atomic<size_t> objects_listed_{0};  // of the last complete list
  size_t short_list_ = 500;                // objects that the API server sends in some milliseconds
  int64_t failing_since_ = 0;              // mono ns; 0 = not failing
  int64_t refused_since_ = 0;              // since when the server answers that the kind is unknown or forbidden
  bool logged_failing_ = false;
  bool counts_as_empty_ = false;  // the kind counts as empty, until the next complete list
  int64_t unreadable_timeout_ns_ = 10 * base::kSecond;
  requests::ApiStatus failure_;  // the last failure, and the action that failed
  const char* failed_verb_ = "";
  int64_t retry_after_ns_ = 0;  // the delay that the server requested in the last exchange
  Outage outage_;

  Progress progress_;
  uint64_t served_request_ = 0;  // the last one before the current list
  mutable base::Mutex mutex_;
  std::string trouble_ GUARDED_BY(mutex_);
  uint64_t list_requests_ GUARDED_BY(mutex_) = 0;               // by CatchUp
  std::optional<http::Reply> offered_list_ GUARDED_BY(mutex_);  // with the last request
  std::stop_source exchange_ GUARDED_BY(mutex_);                // ends what RunUntil does
};

}  // namespace berth::reflector
