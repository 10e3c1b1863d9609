// Why no reply came, in Go's words, and whether the request may have arrived. cpprestsdk tells both only by the
// sentence in its exception and by an error number that it bends here and there. Thread: any; pure.
#pragma once

#include <chrono>
#include <string>

#include "http/peer.h"

namespace berth::http {

// What cpprestsdk, or our own setup of a connection, threw.
struct Fault {
  std::string sentence;
  int code = 0;        // errno, a resolver's or OpenSSL's; 0: the sentence is ours and says it all
  bool setup = false;  // the connection could not be tried
};

struct Failure {
  std::string error;
  bool maybe_delivered = false;
};

// written: the request was written in full once, be it to another connection than the one that failed.
Failure Explain(const Peer& peer, const Fault& fault, bool written, std::chrono::milliseconds timeout);

// `Get "https://127.0.0.1:6443/api/v1/nodes": ` as Go's url.Error begins.
std::string ErrorPrefix(const Peer& peer, const std::string& method, const std::string& path);

}  // namespace berth::http
