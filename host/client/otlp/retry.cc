#include "client/otlp/retry.h"

#include <algorithm>

namespace berth::otlp {

bool IsTemporary(const http::Reply& reply) {
  switch (reply.status) {
    case 0:
    case 429:
    case 502:
    case 503:
    case 504: return true;
    default: return false;
  }
}

std::optional<std::chrono::nanoseconds> WaitAfter(int n, const http::Reply& reply, std::chrono::nanoseconds spent,
                                                  const RetryRules& rules) {
  if (!IsTemporary(reply)) return std::nullopt;
  std::chrono::nanoseconds wait = rules.first;
  for (int i = 1; i < n && wait < rules.most; ++i) wait *= 2;
  wait = std::min(wait, rules.most);
  constexpr int64_t kLongest = 3600;  // seconds; longer than any total
  if (reply.retry_after_seconds) {
    wait =
        std::max<std::chrono::nanoseconds>(wait, std::chrono::seconds(std::min(*reply.retry_after_seconds, kLongest)));
  }
  if (spent + wait > rules.total) return std::nullopt;
  return wait;
}

}  // namespace berth::otlp
