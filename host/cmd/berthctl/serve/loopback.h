// What keeps a page of another site from a server on a loopback address. A site can let its own name resolve to
// 127.0.0.1 (DNS rebinding): the browser then takes the server for that site, and sends the name as Host. Thread: any;
// pure functions.
#pragma once

#include <string_view>

namespace berth::ctl {

// Whether a server that listens on `address` answers only programs of this machine: "localhost:10261",
// "127.0.0.1:10261", "[::1]:10261".
bool IsLoopback(std::string_view address);

// Whether a Host header, with or without a port, is localhost or an IP address, which no site can let resolve
// otherwise.
bool IsFixedHost(std::string_view host);

}  // namespace berth::ctl
