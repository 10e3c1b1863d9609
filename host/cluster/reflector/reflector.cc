#include "cluster/reflector/reflector.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/protobuf/transcode.h"
#include "base/task_threads.h"
#include "client/http/await.h"
#include "client/requests/watch_event.h"
#include "client/requests/watch_sink.h"
#include "cluster/reflector/encoded_object.h"
#include "codec/text/percent.h"
#include "telemetry/log/log.h"

namespace berth::reflector {
namespace {

constexpr int64_t kRetryEmpty = 30 * base::kSecond;
constexpr int kRefusalsBeforeAList = 3;

const base::RealClock kClock;
int64_t Now() { return kClock.MonoNs(); }

// Escapes "," "=" "!" of a field selector for a query.
std::string Escaped(std::string_view text) {
  std::string out;
  text::AppendPercentEncoded(out, text);
  return out;
}

// Whether a refusal of a streaming list says nothing about a list in pages: the server may have no streaming lists, or
// the role may permit "list" and not "watch". After 429, and after 5xx with Retry-After, client-go repeats the request.
// Source: k8s.io/client-go/tools/cache/reflector.go watchList, k8s.io/client-go/rest/with_retry.go.
bool MayListInPages(const requests::ApiStatus& refusal) {
  return refusal.code != 429 && !(refusal.code >= 500 && refusal.retry_after_seconds);
}

// They decode lists, so that the renewal of the Lease and bindings do not wait for that on the I/O thread.
base::TaskThreads& ListThreads() {
  static base::TaskThreads threads({.name = "list", .most = 2});
  return threads;
}

}  // namespace

const ResourceKind kNodes{"/api/v1/nodes", "", "nodes", ""};
const ResourceKind kUnfinishedPods{"/api/v1/pods", "", "pods", "status.phase!=Succeeded,status.phase!=Failed"};

Reflector::Reflector(ResourceKind kind, http::Transport& transport, ObjectFeed& feed, uint64_t seed, RetryDelay delay)
    : kind_(std::move(kind)),
      protobuf_(kind_.path),
      transport_(transport),
      feed_(feed),
      random_(seed),
      delay_(delay),
      outage_(kClock) {}

std::string Reflector::trouble() const {
  base::MutexLock lock(mutex_);
  return trouble_;
}

void Reflector::Start(std::stop_token stop, std::function<void()> ended) {
  http::StartOnIo([this, stop = std::move(stop), ended = std::move(ended)] { return RunTo(stop, ended); });
}

// ended is the last action: this object may be destroyed during it.
base::Async<void> Reflector::RunTo(std::stop_token stop, std::function<void()> ended) {
  while (!stop.stop_requested()) {
    std::stop_source exchange;
    const base::OnStop ends(stop, [&exchange] { exchange.request_stop(); });
    co_await ServeRequest(exchange);
    co_await RunUntil(exchange.get_token());
  }
  ended();
}

// Serves the last request for a list: it ends what follows, too. A list that CatchUp has received is a new list.
base::Async<void> Reflector::ServeRequest(const std::stop_source& exchange) {
  std::optional<http::Reply> list;
  {
    base::MutexLock lock(mutex_);
    exchange_ = exchange;
    if (std::exchange(served_request_, list_requests_) == list_requests_) co_return;
    list = std::exchange(offered_list_, std::nullopt);
  }
  if (list) {
    co_await TakeList(*list);
  } else {
    version_.clear();
  }
}

// The watch may have received more than the list has.
base::Async<void> Reflector::TakeList(const http::Reply& reply) {
  const auto offered = VersionNumber(MetadataOf(BodyOf(reply)).resource_version);
  const auto reached = VersionNumber(version_);
  if (offered && reached && *reached >= *offered) {
    progress_.Listed(served_request_);
    co_return;
  }
  version_.clear();
  StartList();
  const std::optional<api::ListMetadata> metadata = co_await OnPage(reply);
  if (metadata) OnLastPage(*metadata);
}

base::Async<void> Reflector::RunUntil(std::stop_token stop) {
  while (!stop.stop_requested()) {
    retry_after_ns_ = 0;
    bool in_order = false;
    if (version_.empty()) {
      in_order = co_await ListAndWatch(stop);
    } else {
      in_order = co_await Watch(stop);
    }
    if (in_order && retry_after_ns_ == 0) continue;
    const int64_t delay = counts_as_empty_ ? kRetryEmpty : delay_.Next(Now(), random_);
    const int64_t until = Now() + std::max(delay, retry_after_ns_);
    if (LogAt() < until) co_await http::PauseAsync(std::chrono::nanoseconds(LogAt() - Now()), stop);
    LogIfItLasts();
    if (counts_as_empty_) progress_.Listed(served_request_);  // the server has no more than that
    co_await http::PauseAsync(std::chrono::nanoseconds(until - Now()), stop);
  }
}

void Reflector::StartList() {
  listing_ = true;
  objects_listing_ = 0;
  present_ = feed_has_objects_ ? std::make_shared<base::TextSet>() : nullptr;
}

base::Async<bool> Reflector::ListAndWatch(std::stop_token stop) {
  StartList();
  if (std::exchange(way_, Way::kWatchList) == Way::kPages) co_return co_await ListPages(stop);
  std::string query = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  co_return co_await Stream(std::move(query), stop);
}

base::Async<bool> Reflector::Watch(std::stop_token stop) { return Stream("&resourceVersion=" + version_, stop); }

base::Async<bool> Reflector::Stream(std::string query, std::stop_token stop) {
  // The server ends the watch after this time. It is random, so the watches do not all restart at the same time.
  const std::string timeout = std::to_string(300 + random_.Below(300));
  http::Request request =
      RequestFor(kind_.path + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + timeout + query);
  if (!kind_.field_selector.empty()) request.path += "&fieldSelector=" + Escaped(kind_.field_selector);
  const bool was_listing = listing_;
  const int64_t started = Now();
  received_ = false;
  const requests::WatchSink::Status accepted = [this, was_listing](int status) {
    if (!was_listing && status >= 200 && status < 300) outage_.Accepted();
  };
  requests::WatchSink sink([this](requests::Encoded event) { return OnEvent(event); }, accepted);
  const http::Reply reply = co_await http::StreamAsync(transport_, std::move(request), sink, stop);
  if (stop.stop_requested()) co_return true;
  if (sink.too_long()) Unreadable("an event is too long");
  if (reply.status != 0 && !reply.ok()) {
    const requests::ApiStatus status = requests::StatusOf(reply, "watch " + kind_.resource);
    if (status.Expired()) {
      version_.clear();
      co_return false;  // a delay, in case the server refuses every version
    }
    if (was_listing && MayListInPages(status)) {
      way_ = Way::kPages;
      co_return true;
    }
    if (!was_listing && NeedsNewList(status)) version_.clear();
    Failed(status, was_listing ? "list" : "watch");
    co_return false;
  }
  if (listing_) {                                       // it ended before the list was complete
    if (failing_since_ == 0 || !reply.error.empty()) {  // otherwise an ERROR event has given the reason
      Failed({reply.status, "", reply.error.empty() ? "the list broke off" : reply.error}, "list");
    }
    co_return false;
  }
  if (!reply.error.empty()) {
    log::V(2, "Watch broke", {{"resource", kind_.resource}, {"err", reply.error}});
    if (reply.status == 0) Failed({0, "", reply.error}, "watch");
  }
  // A delay, in case the server ends every watch at once.
  const bool at_once = Now() - started <= base::kSecond;
  if (!reply.error.empty()) {
    outage_.Broke(reply.error);
  } else if (at_once && !received_) {
    outage_.Broke("the server ended the watch at once");
  }
  co_return reply.status != 0 && !at_once;
}

// A new list may succeed even if the server refuses this resourceVersion. A role may permit "list" and not "watch":
// then only lists show what has changed.
bool Reflector::NeedsNewList(const requests::ApiStatus& refusal) {
  if (refusal.code == 401 || refusal.code == 429) return false;
  if (refusal.Forbidden()) return failing_since_ != 0 && Now() - failing_since_ >= unreadable_timeout_ns_;
  return ++refused_watches_ >= kRefusalsBeforeAList;
}

http::Request Reflector::RequestFor(std::string path) const {
  http::Request request;
  request.path = std::move(path);
  if (protobuf_.asks()) request.accept = requests::kAcceptBoth;
  return request;
}

// query: begins with '?', or is empty.
std::string Reflector::ListPath(const std::string& query) const {
  std::string path = kind_.path + query;
  if (kind_.field_selector.empty()) return path;
  return path + (query.empty() ? "?" : "&") + "fieldSelector=" + Escaped(kind_.field_selector);
}

// Tenants choose the size of their objects: a page that is too large is requested again with half of the objects.
base::Async<bool> Reflector::ListPages(std::stop_token stop) {
  int limit = kPageSize;
  std::string next;
  while (!stop.stop_requested()) {
    http::Request request = RequestFor(ListPath("?limit=" + std::to_string(limit)));
    if (!next.empty()) request.path += "&continue=" + Escaped(next);
    const http::Reply reply = co_await http::SendAsync(transport_, std::move(request));
    if (reply.too_large && limit > 1) {
      limit /= 2;
      continue;
    }
    if (!reply.ok()) {
      const requests::ApiStatus status = requests::StatusOf(reply, "list " + kind_.resource);
      if (status.Expired() && !next.empty()) co_return co_await ListWhole();
      Failed(status, "list");
      co_return false;
    }
    const std::optional<api::ListMetadata> metadata = co_await OnPage(reply);
    if (!metadata) co_return false;
    if (metadata->next.empty()) co_return OnLastPage(*metadata);
    next = metadata->next;
  }
  co_return true;
}

// The server no longer has the version of the first pages, and may drop the next one too, so the list is requested in
// one piece. Source: k8s.io/client-go/tools/pager/pager.go FullListIfExpired.
base::Async<bool> Reflector::ListWhole() {
  log::V(2, "The pages of a list have expired: requesting it in one piece", {{"resource", kind_.resource}});
  StartList();
  http::Request request = RequestFor(ListPath(""));
  const http::Reply reply = co_await http::SendAsync(transport_, std::move(request));
  if (!reply.ok()) {
    Failed(requests::StatusOf(reply, "list " + kind_.resource), "list");
    co_return false;
  }
  const std::optional<api::ListMetadata> metadata = co_await OnPage(reply);
  if (!metadata) co_return false;
  co_return OnLastPage(*metadata);
}

// Passes the objects of a list to the feed. nullopt: the answer was no list; the failure is recorded.
base::Async<std::optional<api::ListMetadata>> Reflector::OnPage(const http::Reply& reply) {
  base::Result<api::ListMetadata> metadata;
  const std::function<void()> read = PageReader(reply, metadata);
  const bool has_read = co_await http::RunAsync(ListThreads(), read);
  if (!has_read) read();
  if (metadata && !metadata->resource_version.empty()) co_return std::move(*metadata);
  Unreadable(metadata ? "the answer is no list" : metadata.error().message);
  co_return std::nullopt;
}

std::function<void()> Reflector::PageReader(const http::Reply& reply, base::Result<api::ListMetadata>& into) {
  return [this, &reply, &into] {
    into = ForEachItem(BodyOf(reply), [this](requests::Encoded item) { return OnObject(item); });
  };
}

bool Reflector::OnLastPage(const api::ListMetadata& metadata) {
  version_ = metadata.resource_version;
  OnListed();
  return true;
}

bool Reflector::OnEvent(requests::Encoded text) {
  received_ = true;
  const auto event = requests::WatchEvent::Of(text);
  if (!event) {
    Unreadable(event.error().message);
    return false;
  }
  const requests::Encoded object{text.encoding, event->object()};
  if (event->type() == "ERROR") return OnError(object);
  if (!listing_) Recovered();
  if (event->type() == "BOOKMARK") {
    const requests::Bookmark bookmark = requests::BookmarkOf(object);
    if (!listing_) {
      Reached(bookmark.resource_version);
    } else if (bookmark.initial_events_end) {
      version_ = bookmark.resource_version;
      OnListed();
    }
    return true;
  }
  const auto known = event->type() == "DELETED" ? OnGone(object) : OnObject(object);
  if (known) return true;
  version_.clear();
  Unreadable(known.error().message);
  return false;
}

void Reflector::Unreadable(const std::string& reason) {
  if (listing_) {
    Failed({0, "", reason}, "list");
  } else {
    log::Error("Watch ends", {{"resource", kind_.resource}, {"err", reason}});
  }
  if (!protobuf_.Unreadable()) return;
  log::Error("The API server's protobuf cannot be read: asking for JSON",
             {{"resource", kind_.resource}, {"err", reason}});
}

base::Result<ObjectFeed::Seen> Reflector::Pass(requests::Encoded object) {
  if (object.encoding == requests::Encoding::kJson) return feed_.Set(object.text);
  if (feed_.decodes_protobuf()) return feed_.SetProtobuf(object.text);
  if (protobuf_.kind() == nullptr) return base::Fail(kind_.resource + ": the server sent protobuf without being asked");
  const auto json = protobuf::ToJson(*protobuf_.kind(), object.text);
  if (json) return feed_.Set(*json);
  return base::Fail(kind_.resource + " \"" + IdentityOf(object).key + "\": " + json.error().message);
}

base::Result<void> Reflector::OnObject(requests::Encoded object) {
  auto seen = Pass(object);
  if (!seen) {
    const api::ObjectIdentity identity = IdentityOf(object);
    if (identity.key.empty()) return base::Fail("an object without a readable name: " + seen.error().message);
    log::Error("Cannot read object, keeping its previous version", {{"err", seen.error().message}});
    seen = ObjectFeed::Seen{identity.key, identity.resource_version};
  }
  feed_has_objects_ = true;
  if (listing_) ++objects_listing_;
  if (present_) present_->insert(seen->key);
  if (!listing_ && !seen->resource_version.empty()) Reached(seen->resource_version);
  return {};
}

base::Result<void> Reflector::OnGone(requests::Encoded object) {
  const api::ObjectIdentity identity = IdentityOf(object);
  if (identity.key.empty()) return base::Fail("a deleted object without a readable name");
  feed_.Gone(identity.key);
  if (present_) present_->erase(identity.key);
  if (!listing_ && !identity.resource_version.empty()) Reached(identity.resource_version);
  return {};
}

bool Reflector::OnError(requests::Encoded object) {
  const requests::ApiStatus status = requests::StatusOf(object);
  log::V(2, "Watch ends", {{"resource", kind_.resource}, {"err", status.message}});
  version_.clear();  // a new list is right in any case
  retry_after_ns_ = RetryAfterNs(status.retry_after_seconds);
  if (!listing_) return false;
  // A server without streaming lists may report that in the watch.
  if (!status.Expired() && status.code != 429) way_ = Way::kPages;
  Failed(status, "list");
  return false;
}

void Reflector::OnListed() {
  Recovered();
  listing_ = false;
  feed_.Listed(std::move(present_));
  present_ = nullptr;
  objects_listed_.store(objects_listing_);
  listed_.store(true, std::memory_order_release);
  progress_.Reached(version_);
  progress_.Listed(served_request_);
  log::V(3, "Listed", {{"resource", kind_.resource}, {"resourceVersion", version_}});
}

// The feed has had the object of this version.
void Reflector::Reached(std::string version) {
  progress_.Reached(version);
  version_ = std::move(version);
}

void Reflector::Recovered() {
  outage_.Mended();
  protobuf_.Readable();
  refused_watches_ = 0;
  if (failing_since_ == 0) return;
  failing_since_ = 0;
  refused_since_ = 0;
  logged_failing_ = false;
  counts_as_empty_ = false;
  delay_.Reset();
  base::MutexLock lock(mutex_);
  trouble_.clear();
}

void Reflector::Failed(const requests::ApiStatus& status, const char* verb) {
  const std::string text = std::string("cannot ") + verb + " " + kind_.resource + ": " + status.message;
  log::V(1, "Reflector failed", {{"resource", kind_.resource}, {"err", text}});
  {
    base::MutexLock lock(mutex_);
    if (!counts_as_empty_) trouble_ = text;
  }
  outage_.Broke(status.message);
  retry_after_ns_ = RetryAfterNs(status.retry_after_seconds);
  if (failing_since_ == 0) failing_since_ = Now();
  const bool refused = status.Forbidden() || status.NotFound();
  if (!refused) refused_since_ = 0;
  if (refused && refused_since_ == 0) refused_since_ = Now();
  failure_ = status;
  failed_verb_ = verb;
}

// When the feed must be called if nothing changes until then; INT64_MAX: never.
int64_t Reflector::LogAt() const {
  int64_t at = INT64_MAX;
  if (failing_since_ != 0 && !logged_failing_) at = failing_since_ + unreadable_timeout_ns_;
  if (MayCountAsEmpty()) at = std::min(at, refused_since_ + unreadable_timeout_ns_);
  return at;
}

void Reflector::LogIfItLasts() {
  if (MayCountAsEmpty() && Now() >= refused_since_ + unreadable_timeout_ns_) return CountAsEmpty();
  if (failing_since_ == 0 || logged_failing_ || Now() < failing_since_ + unreadable_timeout_ns_) return;
  LogFailure("No answer from the API server for 10 s");
}

void Reflector::LogFailure(const char* what) {
  logged_failing_ = true;
  std::string rule;
  if (failure_.Forbidden()) {
    rule = "apiGroups: [\"" + kind_.group + "\"], resources: [\"" + kind_.resource +
           "\"], verbs: [\"get\", \"list\", \"watch\"]";
  }
  log::Error(what, {{"resource", kind_.resource},
                    {"verb", failed_verb_},
                    {"err", failure_.message},
                    {"missingRule", rule},
                    {"neededBy", kind_.needed_by}});
}

bool Reflector::MayCountAsEmpty() const {
  return kind_.optional && !listed() && !counts_as_empty_ && refused_since_ != 0;
}

// The reflector continues to list: the kind may be installed, or the permission granted.
void Reflector::CountAsEmpty() {
  LogFailure("The API server does not provide these objects: continuing as if there were none");
  counts_as_empty_ = true;
  feed_.Listed(nullptr);
  base::MutexLock lock(mutex_);
  trouble_.clear();
}

}  // namespace berth::reflector
