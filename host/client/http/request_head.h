// What Berth writes before the body of a request, in HTTP/1.1 and in HTTP/2. Thread: any; calls the functions in the
// options of the peer, within its gate.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "client/http/peer.h"
#include "client/http/transport.h"

namespace berth::http {

// Throws SetupFault when the request must not be sent any more. Call it last of all, because the request may have
// waited for a connection.
void CheckObjection(const Peer& peer, const Request& request);

// The name for the Host header or :authority; empty: the address of the server.
std::string HostHeader(const Peer& peer);

// User-Agent, Accept, Authorization, and the like, without Host and what describes the body. Throws SetupFault when
// there are no credentials.
std::vector<std::pair<const char*, std::string>> HeaderFields(const Peer& peer, const Request& request);

// Whether a path begins as a path, and contains only bytes that may be in a request line.
bool IsPath(const std::string& path);

}  // namespace berth::http
