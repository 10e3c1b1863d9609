#include "client/otlp/exporter.h"

#include <algorithm>
#include <utility>

#include "base/thread_name.h"
#include "codec/json/value.h"
#include "codec/text/number.h"
#include "telemetry/log/log.h"

namespace berth::otlp {
namespace {

using Clock = std::chrono::steady_clock;

// A reply that another thread waits for, and may give up.
class Awaited {
 public:
  void Set(http::Reply reply) {
    base::MutexLock lock(mutex_);
    reply_ = std::move(reply);
    arrived_ = true;
    changed_.notify_one();
  }
  http::Reply Wait(std::chrono::nanoseconds time) {
    base::MutexLock lock(mutex_);
    changed_.wait_for(lock, time, [this]() REQUIRES(mutex_) { return arrived_; });
    if (!arrived_) reply_.error = "the collector did not answer in time";
    return std::move(reply_);
  }

 private:
  base::Mutex mutex_;
  base::Condition changed_;
  bool arrived_ GUARDED_BY(mutex_) = false;
  http::Reply reply_ GUARDED_BY(mutex_);
};

// partialSuccess.rejectedSpans of an ExportTraceServiceResponse, an int64 that OTLP writes as text.
uint64_t RejectedIn(const std::string& body) {
  const auto answer = json::Parse(body);
  if (!answer) return 0;
  const json::Value* partial = answer->Find("partialSuccess");
  const json::Value* rejected = partial == nullptr ? nullptr : partial->Find("rejectedSpans");
  if (rejected == nullptr) return 0;
  const std::string text = rejected->is_string() ? rejected->string() : json::Dump(*rejected);
  return static_cast<uint64_t>(std::max<int64_t>(text::ParseInt(text, 64).value_or(0), 0));
}

std::string Why(const http::Reply& reply) {
  if (reply.status == 0) return reply.error;
  constexpr size_t kLongest = 200;  // bytes of the collector's message
  return "the collector answered " + std::to_string(reply.status) + ": " + reply.body.substr(0, kLongest);
}

}  // namespace

Exporter::Exporter(trace::SpanQueue& queue, std::unique_ptr<http::Transport> collector, trace::Origin origin,
                   const ExportRules& rules)
    : queue_(queue), collector_(std::move(collector)), origin_(std::move(origin)), rules_(rules), thread_([this] {
        Loop();
      }) {}

void Exporter::Stop() {
  {
    base::MutexLock lock(mutex_);
    deadline_ = std::min(deadline_, Clock::now() + std::chrono::duration_cast<Clock::duration>(rules_.flush));
    changed_.notify_all();
  }
  queue_.Close();
  {
    base::MutexLock lock(mutex_);
    changed_.wait_for(lock, rules_.flush, [this]() REQUIRES(mutex_) { return ended_; });
  }
  collector_->Close();  // ends the wait for a reply
  if (thread_.joinable()) thread_.join();
}

void Exporter::Loop() {
  base::NameThread("spans");
  while (true) {
    const std::vector<trace::Span> spans = queue_.Take(rules_.batch, rules_.delay);
    if (!spans.empty()) Export(spans);
    if (spans.empty() && Left() < std::chrono::nanoseconds::max()) break;
  }
  base::MutexLock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

std::chrono::nanoseconds Exporter::Left() const {
  base::MutexLock lock(mutex_);
  if (deadline_ == Clock::time_point::max()) return std::chrono::nanoseconds::max();
  return std::max<std::chrono::nanoseconds>(deadline_ - Clock::now(), std::chrono::nanoseconds(0));
}

bool Exporter::Pause(std::chrono::nanoseconds wait) {
  base::MutexLock lock(mutex_);
  return !changed_.wait_for(lock, wait, [this]() REQUIRES(mutex_) { return deadline_ != Clock::time_point::max(); });
}

void Exporter::Export(const std::vector<trace::Span>& spans) {
  const http::Reply reply = ExportBody(trace::OtlpJson(origin_, spans));
  if (reply.ok()) return Accepted(reply, spans.size());
  Refused(reply, spans.size());
}

http::Reply Exporter::ExportBody(const std::string& body) {
  const auto began = Clock::now();
  for (int n = 1;; ++n) {
    http::Reply reply = SendOnce(body);
    if (reply.ok()) return reply;
    const auto wait = WaitAfter(n, reply, Clock::now() - began, rules_.retry);
    if (!wait || !Pause(*wait)) return reply;
  }
}

http::Reply Exporter::SendOnce(const std::string& body) {
  const std::chrono::nanoseconds time = std::min(rules_.timeout, Left());
  if (time.count() == 0) return {.error = "the process ends"};
  auto awaited = std::make_shared<Awaited>();
  collector_->Send({.method = "POST", .path = kTracesPath, .body = body, .content_type = "application/json"},
                   [awaited](http::Reply reply) { awaited->Set(std::move(reply)); });
  return awaited->Wait(time);
}

void Exporter::Accepted(const http::Reply& reply, size_t n_spans) {
  const uint64_t rejected = std::min<uint64_t>(RejectedIn(reply.body), n_spans);
  rejected_ += rejected;
  exported_ += n_spans - rejected;
  if (std::exchange(failing_, false)) log::Info("Spans are exported again");
}

void Exporter::Refused(const http::Reply& reply, size_t n_spans) {
  failed_ += n_spans;
  if (std::exchange(failing_, true)) return;
  log::Warning("Spans are not exported; they are dropped until the collector accepts them", {{"err", Why(reply)}});
}

}  // namespace berth::otlp
