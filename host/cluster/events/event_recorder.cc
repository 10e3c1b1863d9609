#include "cluster/events/event_recorder.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "client/requests/api_status.h"
#include "telemetry/log/log.h"

namespace berth::events {
namespace {

constexpr std::chrono::milliseconds kLookAgain{20};   // for Events that wait
constexpr int64_t kLongestHold = 10 * base::kSecond;  // for bindings
constexpr size_t kMostQueued = 128;
constexpr int kEventTries = 12;
constexpr int64_t kEventRetryDelay = 10 * base::kSecond;
constexpr int64_t kSeriesEnds = 360 * base::kSecond;  // of silence
constexpr std::chrono::seconds kForgetEvery(60);
constexpr int64_t kSeriesRefresh = 1800 * base::kSecond;  // a continuous series is written again after this time

std::string PathOf(const std::string& ns, const std::string& name) {
  const std::string path = "/apis/events.k8s.io/v1/namespaces/" + ns + "/events";
  return name.empty() ? path : path + "/" + name;
}

// The API server may accept the Event later. client-go tries again only after status 0.
bool IsUnanswered(const http::Reply& reply) { return reply.status == 0 || reply.status == 429 || reply.status >= 500; }

// A pod is bound only once, so there is no series. Storing each would take about 800 bytes for six minutes.
bool HappensOnce(const EventRecord& record) {
  return record.api == EventApi::kCore || (record.reason == "Scheduled" && record.action == "Binding");
}

}  // namespace

EventRecorder::EventRecorder(requests::RequestQueue& queue, const base::Clock& clock, std::string hostname, Busy busy)
    : queue_(queue), clock_(clock), hostname_(std::move(hostname)), busy_(std::move(busy)) {
  forgets_.emplace(kForgetEvery, [this] {
    if (has_series_ || inbox_.size() > 0) Ask();  // the inbox: if the system gave no thread for it
  });
}

void EventRecorder::Record(EventRecord record) {
  if (pending_.fetch_add(1, std::memory_order_relaxed) >= kCapacity) {
    pending_.fetch_sub(1, std::memory_order_relaxed);
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  inbox_.Push({std::move(record), clock_.MonoNs()});
  Ask();
}

void EventRecorder::Ask() {
  if (asked_.exchange(true)) return;
  const auto posted = thread_.Post([this] {
    asked_ = false;  // before the inbox is read
    int64_t looked = clock_.MonoNs();
    HandleReady();
    while (!waiting_.empty() && !stopping_) {
      std::this_thread::sleep_for(kLookAgain);
      looked = clock_.MonoNs();
      HandleReady();
    }
    Forget(looked);  // not the time now: a record may have come since, which continues a series
    has_series_ = !series_.empty();
  });
  if (posted != base::TaskThreads::Posted::kQueued) asked_ = false;
}

void EventRecorder::Stop() {
  stopping_.store(true, std::memory_order_relaxed);
  forgets_.reset();
  thread_.Stop();
  HandleAll();
}

void EventRecorder::TakeInbox() {
  inbox_.Drain(arrived_);
  std::move(arrived_.begin(), arrived_.end(), std::back_inserter(waiting_));
}

void EventRecorder::HandleReady() {
  TakeInbox();
  while (!waiting_.empty() && MayGo(waiting_.front())) {
    Handle(waiting_.front());
    waiting_.pop_front();
  }
}

void EventRecorder::HandleAll() {
  TakeInbox();
  for (const Arrived& arrived : waiting_) Handle(arrived);
  waiting_.clear();
}

bool EventRecorder::MayGo(const Arrived& oldest) const {
  if (queue_.Lengths().rest >= kMostQueued) return false;
  const bool holds = busy_ && waiting_.size() < kMostHeld && clock_.MonoNs() - oldest.at_mono_ns < kLongestHold;
  return !holds || !busy_();
}

http::Request EventRecorder::Creation(const EventRecord& record, const std::string& instance, const std::string& name,
                                      int count) const {
  const requests::Encoding encoding = queue_.bodies();
  http::Request request;
  request.method = "POST";
  request.content_type = requests::TypeOf(encoding);
  request.accept = queue_.accept();
  request.path = record.api == EventApi::kCore ? "/api/v1/namespaces/" + record.regarding.ns + "/events"
                                               : PathOf(record.regarding.ns, "");
  request.body = EventBody(encoding, record, instance, name, count);
  return request;
}

http::Request EventRecorder::Patch(const Series& series) const {
  http::Request request;
  request.method = "PATCH";
  request.content_type = "application/merge-patch+json";
  request.accept = queue_.accept();
  request.path = PathOf(series.ns, series.name);
  request.body = SeriesBody(series.count, series.seen_unix_ns);
  return request;
}

// Durations are those of the monotonic clock: NTP may set the wall clock back.
void EventRecorder::Handle(const Arrived& arrived) {
  const EventRecord& record = arrived.record;
  const int64_t now = arrived.at_mono_ns;
  const std::string instance = record.scheduler_name + "-" + hostname_;
  const auto write_alone = [&] { Post(Creation(record, instance, EventName(record), 1), std::nullopt, kEventTries); };
  if (HappensOnce(record)) return write_alone();
  const std::string key = EventKey(record, instance);
  if (series_.size() >= kMostSeries && series_.count(key) == 0) return write_alone();
  const auto [it, fresh] = series_.try_emplace(key);
  Series& series = it->second;
  if (fresh || now - series.seen_mono_ns > kSeriesEnds) {
    series = Series{record.regarding.ns, EventName(record), 1, 1, record.unix_ns, now, now};
    return Post(Creation(record, instance, series.name, 1), std::nullopt, kEventTries);
  }
  ++series.count;
  series.seen_unix_ns = record.unix_ns;
  series.seen_mono_ns = now;
  if (series.count > 2 && now - series.written_mono_ns < kSeriesRefresh) {
    pending_.fetch_sub(1, std::memory_order_relaxed);  // sent when the series ends or is refreshed
    return;
  }
  series.written_count = series.count;
  series.written_mono_ns = now;
  Post(Patch(series), Creation(record, instance, series.name, series.count), kEventTries);
}

void EventRecorder::Post(http::Request request, std::optional<http::Request> recreate, int tries_left,
                         int64_t delay_ns) {
  auto done = [this, request, recreate = std::move(recreate), tries_left](const http::Reply& reply) {
    if (IsUnanswered(reply) && tries_left > 1 && !stopping_.load(std::memory_order_relaxed)) {
      return Post(request, recreate, tries_left - 1, kEventRetryDelay);
    }
    if (reply.status == 404 && recreate) return Post(*recreate, std::nullopt, tries_left);
    pending_.fetch_sub(1, std::memory_order_relaxed);
    const bool made_before = request.method == "POST" && reply.status == 409;  // the answer to the first try was lost
    if (!reply.ok() && !made_before) GiveUp(reply);
  };
  if (delay_ns == 0) return queue_.Post(std::move(request), std::move(done));
  queue_.PostAfter(delay_ns, std::move(request), std::move(done));
}

// The texts are those of client-go.
void EventRecorder::GiveUp(const http::Reply& reply) {
  const requests::ApiStatus status = requests::StatusOf(reply, "write event");
  if (!IsUnanswered(reply)) return log::Error("Server rejected event (will not retry!)", {{"err", status.message}});
  dropped_.fetch_add(1, std::memory_order_relaxed);
  if (stopping_.load(std::memory_order_relaxed)) return;
  log::Error("Unable to write event (retry limit exceeded!)", {{"err", status.message}});
}

// Removes series without a recent occurrence and writes their last count.
void EventRecorder::Forget(int64_t mono_ns) {
  if (mono_ns - forgotten_mono_ns_ < std::chrono::nanoseconds(kForgetEvery).count()) return;
  forgotten_mono_ns_ = mono_ns;
  for (auto it = series_.begin(); it != series_.end();) {
    const Series& series = it->second;
    if (mono_ns - series.seen_mono_ns <= kSeriesEnds) {
      ++it;
      continue;
    }
    if (series.written_count < series.count) {
      pending_.fetch_add(1, std::memory_order_relaxed);
      Post(Patch(series), std::nullopt, 1);
    }
    it = series_.erase(it);
  }
}

}  // namespace berth::events
