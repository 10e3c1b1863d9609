// How a stream waits for credentials that a request cannot do without. Thread: any but the pool's.
#pragma once

#include <memory>
#include <stop_token>

#include "http/connections.h"

namespace berth::http {

// Blocks until there are credentials, or an error in their place, for these connections. Null: stop came first.
std::shared_ptr<Connections> AwaitCredentials(CurrentConnections& current, const std::stop_token& stop);

}  // namespace berth::http
