// Waits for the credentials that a stream needs. Thread: any except the threads of the pool.
#pragma once

#include <memory>
#include <stop_token>

#include "client/http/connections.h"

namespace berth::http {

// Blocks until these connections have credentials, or an error instead. Null: stop was requested first.
std::shared_ptr<Connections> AwaitCredentials(CurrentConnections& current, const std::stop_token& stop);

}  // namespace berth::http
