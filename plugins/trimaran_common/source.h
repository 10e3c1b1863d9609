// A server that knows the load of nodes. Thread: Fetch on any; done on any. Ownership: outlives the requests, because
// the host ends them before it destroys the plugin.
#pragma once

#include <berth/api.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "node_load.h"

namespace plugins::trimaran {

// A snapshot, or why there is none.
struct Fetched {
  std::shared_ptr<const Snapshot> snapshot;
  std::string error;

  static Fetched Of(Snapshot given) { return {std::make_shared<const Snapshot>(std::move(given)), ""}; }
  static Fetched Failed(std::string why) { return {nullptr, std::move(why)}; }
  // Shortens a text that a server chooses, for the log.
  static std::string Shortened(std::string text) {
    constexpr size_t kMost = 500;  // bytes
    if (text.size() <= kMost) return text;
    size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a UTF-8 character
    text.resize(end);
    return text + "...";
  }
  // A reply with an error of the server.
  static Fetched Refused(const berth::sdk::ApiReply& reply) {
    if (reply.code == 0) return Failed(Shortened(std::string(reply.message)));
    std::string why = "received status code " + std::to_string(reply.code);
    if (!reply.message.empty()) why += ": " + Shortened(std::string(reply.message));
    return Failed(std::move(why));
  }
};

class Source {
 public:
  using Done = std::function<void(Fetched)>;
  virtual ~Source() = default;
  virtual std::string name() const = 0;  // for the log: "http://load-watcher:2020"
  // now: Unix seconds. done is called exactly once.
  virtual void Fetch(int64_t now, Done done) = 0;
};

}  // namespace plugins::trimaran
