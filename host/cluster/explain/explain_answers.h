// Parts of the answers that explain decisions. Thread: any; pure functions.
#pragma once

#include <string>
#include <utility>

#include "cluster/serve/routes.h"

namespace berth::explain {

inline http::Answer JsonAnswer(std::string text) {
  text += '\n';
  return {.status = 200, .content_type = "application/json", .body = std::move(text), .headers = serve::NoSniff()};
}

inline http::Answer BusyAnswer() { return serve::PlainError(503, "the scheduling thread did not answer in time"); }

// Refuses what a page of another site asks: a browser says with a header whose page it is. Another site must not even
// make the scheduler compute. Clients that are no browsers send no such header.
serve::Handler OfOwnSite(serve::Handler handler);

// 16 hexadecimal digits that differ from those of every other process.
const std::string& InstanceId();

}  // namespace berth::explain
