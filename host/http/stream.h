// One Stream: the meeting of the thread that waits for its end and the pool's threads that bring its body.
// Thread: Receiver's functions on the pool's threads, Wait on the caller's. Ownership: shared by the two; the sink is
// not touched once Wait has returned.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "http/body.h"
#include "http/pipe.h"

namespace berth::http {

class StreamReceiver final : public Receiver {
 public:
  StreamReceiver(BodySink& sink, size_t max_body_bytes, std::string error_prefix)
      : sink_(&sink), body_(max_body_bytes), error_prefix_(std::move(error_prefix)) {}

  void Headers(int status, std::optional<int64_t> retry_after_seconds) noexcept override;
  bool Bytes(std::string_view bytes) noexcept override;
  void End(std::optional<Failure> failure) noexcept override;

  // Ends it with that error, unless it is over already.
  void Break(const std::string& why);

  // Blocks until the body is over, or the sink or stop ended it; in the latter cases the pipe is still to be cancelled.
  // Once.
  Reply Wait(const std::stop_token& stop);

 private:
  Reply Broken(Failure failure);

  std::mutex mutex_;  // guards what follows; held while the sink works, so that Wait waits for it
  std::condition_variable_any changed_;
  BodySink* sink_;  // null once Wait has returned
  Body body_;       // of a status that is not 2xx
  const std::string error_prefix_;
  Reply reply_;
  bool over_ = false;
};

}  // namespace berth::http
