// Waits for the credentials that a stream needs. Thread: the I/O thread.
#pragma once

#include <memory>
#include <stop_token>

#include "base/async.h"
#include "client/http/connections.h"

namespace berth::http {

// Ends when these connections have credentials, or an error instead. Null: stop was requested first. current must live
// until then.
base::Async<std::shared_ptr<Connections>> AwaitCredentials(CurrentConnections& current, std::stop_token stop);

}  // namespace berth::http
