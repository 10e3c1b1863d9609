// One stream: connects who waits for its end with the threads of the transport that deliver its body.
// Thread: Receiver's functions on the threads of the transport, the others on any. Ownership: shared by both; the sink
// is not used after Take has returned.
#pragma once

#include "base/async.h"
#include "base/thread_annotations.h"
#include "client/http/body.h"
#include "client/http/connection.h"

namespace berth::http {

class StreamReceiver final : public Receiver {
 public:
  StreamReceiver(BodySink& sink, size_t max_body_bytes, std::string error_prefix)
      : sink_(&sink), body_(max_body_bytes), error_prefix_(std::move(error_prefix)) {}

  void Headers(const ReplyHead& head) noexcept override;
  bool Bytes(std::string_view bytes) noexcept override;
  void End(std::optional<Failure> failure) noexcept override;

  // Ends the stream with that error, unless it has ended already.
  void Break(const std::string& why);

  // Rings when the body has ended, or the sink has ended it.
  base::Bell& over() { return bell_; }
  // The result, once over() has rung or the caller wants no more; then the caller must still cancel the request. Waits
  // for a call of the sink. Call it once.
  Reply Take();

 private:
  Reply Broken(Failure failure) REQUIRES(mutex_);

  base::Mutex mutex_;  // held during calls of the sink, so that Take waits for them
  base::Bell bell_;
  BodySink* sink_ GUARDED_BY(mutex_);  // null once Take has returned
  Body body_ GUARDED_BY(mutex_);       // of a status that is not 2xx
  const std::string error_prefix_;
  Reply reply_ GUARDED_BY(mutex_);
  bool over_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::http
