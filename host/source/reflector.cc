#include "source/reflector.h"

#include <chrono>
#include <condition_variable>

#include "api/json_items.h"
#include "json/value.h"
#include "kube/line_framer.h"
#include "kube/watch_event.h"
#include "log/log.h"

namespace berth::source {
namespace {

constexpr int64_t kRetryWithout = 30 * base::kSecond;
constexpr int kPageSize = 500;
constexpr int kRefusalsBeforeAList = 3;

int64_t Now() { return base::RealClock().MonoNs(); }

void SleepFor(int64_t ns, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, std::chrono::nanoseconds(ns), [] { return false; });
}

// "," and "=" and "!" of a field selector in a query.
std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    constexpr char kHex[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

class LineSink final : public http::BodySink {
 public:
  explicit LineSink(std::function<bool(std::string_view)> line) : line_(std::move(line)) {}
  bool OnBytes(std::string_view bytes) override { return framer_.Feed(bytes, line_); }

 private:
  kube::LineFramer framer_;
  std::function<bool(std::string_view)> line_;
};

}  // namespace

const ResourceKind kNodes{"/api/v1/nodes", "", "nodes", ""};
const ResourceKind kUnfinishedPods{"/api/v1/pods", "", "pods", "status.phase!=Succeeded,status.phase!=Failed"};

Reflector::Reflector(ResourceKind kind, http::Transport& transport, ObjectFeed& feed, uint64_t seed, RetryDelay delay)
    : kind_(std::move(kind)), transport_(transport), feed_(feed), random_(seed), delay_(delay) {}

std::string Reflector::trouble() const {
  std::lock_guard lock(mutex_);
  return trouble_;
}

void Reflector::Run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const bool in_order = version_.empty() ? ListAndWatch(stop) : Watch(stop);
    if (in_order) continue;
    const int64_t until = Now() + (without_ ? kRetryWithout : delay_.Next(Now(), random_));
    if (TellAt() < until) SleepFor(TellAt() - Now(), stop);
    TellIfItLasts();
    SleepFor(until - Now(), stop);
  }
}

void Reflector::StartList() {
  listing_ = true;
  present_ = told_ ? std::make_shared<KeySet>() : nullptr;
}

bool Reflector::ListAndWatch(const std::stop_token& stop) {
  StartList();
  if (way_ == Way::kPages) return ListPages(stop);
  return Stream("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", stop);
}

bool Reflector::Watch(const std::stop_token& stop) { return Stream("&resourceVersion=" + version_, stop); }

bool Reflector::Stream(const std::string& query, const std::stop_token& stop) {
  // The server ends the watch after this long; different for each, so that they do not come back together.
  const std::string timeout = std::to_string(300 + random_.Below(300));
  http::Request request;
  request.path = kind_.path + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" + timeout + query;
  if (!kind_.field_selector.empty()) request.path += "&fieldSelector=" + Escaped(kind_.field_selector);
  const bool was_listing = listing_;
  const int64_t started = Now();
  LineSink sink([this](std::string_view line) { return OnLine(line); });
  const http::Reply reply = transport_.Stream(request, sink, stop);
  if (stop.stop_requested()) return true;
  if (reply.status != 0 && !reply.ok()) {
    const kube::ApiStatus status = kube::StatusOf(reply, "watch " + kind_.resource);
    if (status.Expired()) {
      version_.clear();
      return !was_listing;
    }
    if (was_listing && (status.code == 400 || status.code == 422)) {  // a server without WatchList
      way_ = Way::kPages;
      return true;
    }
    // Whatever the server has against this place in the story, it may have nothing against a new beginning.
    const bool about_us = status.code == 0 || status.code == 401 || status.code == 403 || status.code == 429;
    if (!was_listing && !about_us && ++refused_watches_ >= kRefusalsBeforeAList) version_.clear();
    Failed(status, was_listing ? "list" : "watch");
    return false;
  }
  if (listing_) {                                       // it ended before the list was whole
    if (failing_since_ == 0 || !reply.error.empty()) {  // otherwise an ERROR event has said why
      Failed({reply.status, "", reply.error.empty() ? "the list broke off" : reply.error}, "list");
    }
    return false;
  }
  if (!reply.error.empty()) {
    log::V(2, "Watch broke", {{"resource", kind_.resource}, {"err", reply.error}});
    if (reply.status == 0) Failed({0, "", reply.error}, "watch");
  }
  // A server that ends every watch at once must not be asked in a circle.
  return reply.status != 0 && Now() - started > base::kSecond;
}

bool Reflector::ListPages(const std::stop_token& stop) {
  std::string next;
  std::string version;
  do {
    if (stop.stop_requested()) return true;
    http::Request request;
    request.path = kind_.path + "?limit=" + std::to_string(kPageSize);
    if (!kind_.field_selector.empty()) request.path += "&fieldSelector=" + Escaped(kind_.field_selector);
    if (!next.empty()) request.path += "&continue=" + Escaped(next);
    const http::Reply reply = transport_.SendAndWait(std::move(request));
    if (!reply.ok()) {
      Failed(kube::StatusOf(reply, "list " + kind_.resource), "list");
      return false;
    }
    const auto listed = api::ForEachJsonItem(reply.body, [this](const api::JsonItem& item) -> base::Result<void> {
      OnObject(item.json);
      return {};
    });
    const api::JsonListMetadata metadata = api::ListMetadataOf(reply.body);
    if (!listed || !*listed || metadata.resource_version.empty()) {
      Failed({0, "", listed ? "the answer is no list" : listed.error().message}, "list");
      return false;
    }
    next = metadata.next;
    version = metadata.resource_version;
  } while (!next.empty());
  version_ = version;
  OnListed();
  return true;
}

bool Reflector::OnLine(std::string_view line) {
  const auto event = kube::WatchEvent::Split(line);
  if (!event) {
    log::Error("Watch ends", {{"resource", kind_.resource}, {"err", event.error().message}});
    return false;
  }
  if (event->type() == "ERROR") return OnError(event->object());
  if (!listing_) Recovered();
  if (event->type() == "BOOKMARK") {
    const kube::Bookmark bookmark = kube::BookmarkOf(event->object());
    if (!listing_ || bookmark.initial_events_end) version_ = bookmark.resource_version;
    if (listing_ && bookmark.initial_events_end) OnListed();
    return true;
  }
  if (event->type() == "DELETED") {
    OnGone(event->object());
  } else {
    OnObject(event->object());
  }
  return true;
}

void Reflector::OnObject(std::string_view json) {
  auto seen = feed_.Set(json);
  if (!seen) {
    log::Error("Object cannot be read and is left as it was", {{"err", seen.error().message}});
    const api::JsonIdentity identity = api::IdentityOf(json);
    seen = ObjectFeed::Seen{identity.key, identity.resource_version};
  }
  told_ = true;
  if (present_) present_->insert(seen->key);
  if (!listing_ && !seen->resource_version.empty()) version_ = seen->resource_version;
}

void Reflector::OnGone(std::string_view json) {
  const api::JsonIdentity identity = api::IdentityOf(json);
  feed_.Gone(identity.key);
  if (present_) present_->erase(identity.key);
  if (!listing_ && !identity.resource_version.empty()) version_ = identity.resource_version;
}

bool Reflector::OnError(std::string_view status_json) {
  const kube::ApiStatus status = kube::StatusOf(status_json);
  log::V(2, "Watch ends", {{"resource", kind_.resource}, {"err", status.message}});
  version_.clear();  // whatever it was, a new list is right
  if (!listing_) return false;
  // A server that cannot list by watches may say so in the watch.
  if (!status.Expired() && status.code != 429) way_ = Way::kPages;
  Failed(status, "list");
  return false;
}

void Reflector::OnListed() {
  Recovered();
  listing_ = false;
  feed_.Listed(std::move(present_));
  present_ = nullptr;
  listed_.store(true, std::memory_order_release);
  log::V(3, "Listed", {{"resource", kind_.resource}, {"resourceVersion", version_}});
}

void Reflector::Recovered() {
  refused_watches_ = 0;
  if (failing_since_ == 0) return;
  failing_since_ = 0;
  refused_since_ = 0;
  told_failing_ = false;
  without_ = false;
  delay_.Reset();
  std::lock_guard lock(mutex_);
  trouble_.clear();
}

void Reflector::Failed(const kube::ApiStatus& status, const char* verb) {
  const std::string text = std::string("cannot ") + verb + " " + kind_.resource + ": " + status.message;
  log::V(1, "Reflector failed", {{"resource", kind_.resource}, {"err", text}});
  {
    std::lock_guard lock(mutex_);
    if (!without_) trouble_ = text;
  }
  if (failing_since_ == 0) failing_since_ = Now();
  const bool refused = status.Forbidden() || status.NotFound();
  if (!refused) refused_since_ = 0;
  if (refused && refused_since_ == 0) refused_since_ = Now();
  failure_ = status;
  failed_verb_ = verb;
}

// When something is to be told, if nothing changes until then; INT64_MAX = nothing.
int64_t Reflector::TellAt() const {
  int64_t at = INT64_MAX;
  if (failing_since_ != 0 && !told_failing_) at = failing_since_ + patience_ns_;
  if (MayDoWithout()) at = std::min(at, refused_since_ + patience_ns_);
  return at;
}

void Reflector::TellIfItLasts() {
  if (MayDoWithout() && Now() >= refused_since_ + patience_ns_) return DoWithout();
  if (failing_since_ == 0 || told_failing_ || Now() < failing_since_ + patience_ns_) return;
  Tell("No answer from the API server for 10 s");
}

void Reflector::Tell(const char* what) {
  told_failing_ = true;
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

bool Reflector::MayDoWithout() const { return kind_.optional && !listed() && !without_ && refused_since_ != 0; }

// Lists are asked for all the same: the kind may be installed, the right may be given.
void Reflector::DoWithout() {
  Tell("The API server gives no such objects: going on as if there were none");
  without_ = true;
  feed_.Listed(nullptr);
  std::lock_guard lock(mutex_);
  trouble_.clear();
}

}  // namespace berth::source
