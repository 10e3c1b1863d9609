#include "client/http/stream.h"

#include <utility>

namespace berth::http {

void StreamReceiver::Headers(const ReplyHead& head) noexcept {
  base::MutexLock lock(mutex_);
  reply_.status = head.status;
  reply_.retry_after_seconds = head.retry_after_seconds;
  reply_.content_type = head.content_type;
  if (sink_ != nullptr) sink_->OnHead(head);
}

bool StreamReceiver::Bytes(std::string_view bytes) noexcept {
  base::MutexLock lock(mutex_);
  if (sink_ == nullptr || over_) return false;
  if (!reply_.ok()) return body_.Append(bytes);
  if (sink_->OnBytes(bytes)) return true;
  over_ = true;
  bell_.Ring();
  return false;
}

void StreamReceiver::End(std::optional<Failure> failure) noexcept {
  base::MutexLock lock(mutex_);
  if (over_) return;  // the sink ended it, which caused the failure
  over_ = true;
  if (failure) {
    reply_ = Broken(std::move(*failure));
  } else if (!reply_.ok()) {
    reply_.body = body_.Take();
  }
  bell_.Ring();
}

void StreamReceiver::Break(const std::string& why) { End(Failure{error_prefix_ + why, true}); }

Reply StreamReceiver::Broken(Failure failure) {
  if (reply_.ok()) return {.status = reply_.status, .error = std::move(failure.error)};
  if (body_.too_large()) failure.error = error_prefix_ + body_.TooLargeText();
  return {
      .error = std::move(failure.error), .maybe_delivered = failure.maybe_delivered, .too_large = body_.too_large()};
}

Reply StreamReceiver::Take() {
  base::MutexLock lock(mutex_);
  sink_ = nullptr;
  const bool stopped = !over_;
  over_ = true;
  if (stopped && !reply_.ok()) return {.error = error_prefix_ + "context canceled", .maybe_delivered = true};
  return std::move(reply_);
}

}  // namespace berth::http
