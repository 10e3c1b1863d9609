// Whether a reply did not arrive because it is larger than the transport accepts. Thread: any.
#pragma once

#include "client/http/transport.h"

namespace berth::reflector {

// The text is that of client/http/body.h; a reply has no other mark.
inline bool IsTooLarge(const http::Reply& reply) {
  return reply.status == 0 && reply.error.find("the reply is larger than ") != std::string::npos;
}

}  // namespace berth::reflector
