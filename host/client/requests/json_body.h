// A request with a body in protobuf as one with JSON, for servers that do not accept protobuf. Thread: any.
#pragma once

#include "client/http/transport.h"

namespace berth::requests {

// False, and the request is as it was: it has no body in protobuf, or one of a kind without a table.
bool ToJsonBody(http::Request& request);

}  // namespace berth::requests
