#include "client/http/reply_head.h"

#include <charconv>

#include "telemetry/log/log.h"

namespace berth::http {

std::optional<int64_t> RetryAfterSeconds(std::string_view value) {
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size() || seconds < 0) return std::nullopt;
  return seconds;
}

void LogResponse(const Peer& peer, const Request& request, int status, std::chrono::steady_clock::time_point began) {
  if (!log::LogEnabled(6)) return;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  log::V(6, "Response",
         {{"verb", request.method},
          {"url", peer.server.Url() + request.path},
          {"status", status},
          {"milliseconds", took.count()}});
}

}  // namespace berth::http
