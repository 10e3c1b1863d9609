// One Stream: connects the thread that waits for its end with the threads of the transport that deliver its body.
// Thread: Receiver's functions on the threads of the transport, Wait on the caller's. Ownership: shared by both; the
// sink is not used after Wait has returned.
#pragma once

#include <condition_variable>
#include <stop_token>

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

  // Blocks until the body has ended, or the sink or stop ended it; then the caller must still cancel the request. Call
  // it once.
  Reply Wait(const std::stop_token& stop);

 private:
  Reply Broken(Failure failure) REQUIRES(mutex_);

  base::Mutex mutex_;  // held during calls of the sink, so that Wait waits for them
  std::condition_variable_any changed_;
  BodySink* sink_ GUARDED_BY(mutex_);  // null once Wait has returned
  Body body_ GUARDED_BY(mutex_);       // of a status that is not 2xx
  const std::string error_prefix_;
  Reply reply_ GUARDED_BY(mutex_);
  bool over_ GUARDED_BY(mutex_) = false;
};

}  // namespace berth::http
