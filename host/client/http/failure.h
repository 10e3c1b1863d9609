// Why a request failed, in Go's words, and whether the server may have received it. cpprestsdk reports both only
// through the text of its exception and an error number that it sometimes changes. Thread: any; pure.
#pragma once

#include <chrono>
#include <string>

#include "client/http/peer.h"

namespace berth::http {

// An exception of cpprestsdk or of the setup of a connection.
struct Fault {
  std::string sentence;
  int code = 0;        // of errno, the resolver or OpenSSL; 0: the sentence is Berth's and complete
  bool setup = false;  // the connection was not tried
};

struct Failure {
  std::string error;
  bool maybe_delivered = false;
};

// written: the request was written completely at least once, possibly to an earlier connection.
Failure Explain(const Peer& peer, const Fault& fault, bool written, std::chrono::milliseconds timeout);

// `Get "https://127.0.0.1:6443/api/v1/nodes": ` as Go's url.Error begins.
std::string ErrorPrefix(const Peer& peer, const std::string& method, const std::string& path);

}  // namespace berth::http
