// What both protocols do with the head of a reply. Thread: any; pure, except for the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "client/http/peer.h"
#include "client/http/transport.h"

namespace berth::http {

// The value of Retry-After, when it is a number of seconds and no date.
std::optional<int64_t> RetryAfterSeconds(std::string_view value);

// Logs client-go's line about a reply, at its verbosity.
void LogResponse(const Peer& peer, const Request& request, int status, std::chrono::steady_clock::time_point began);

}  // namespace berth::http
