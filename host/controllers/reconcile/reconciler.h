// What a controller does with one key: it decides from what the watches have delivered. Thread: that of the loop.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/http/transport.h"
#include "cluster/events/event_body.h"

namespace berth::reconcile {

struct Decision {
  std::optional<http::Request> write;        // nullopt: nothing is to be written
  std::optional<events::EventRecord> event;  // to be recorded at once
};

class Reconciler {
 public:
  virtual ~Reconciler() = default;
  virtual std::vector<std::string> Keys() const = 0;  // of all objects
  virtual Decision Decide(const std::string& key) const = 0;
  // The server has accepted the write, and answered with the object. Returns the Event about it, if there is one.
  virtual std::optional<events::EventRecord> OnWritten(std::string_view object) = 0;
};

// A merge patch of the status of an object. path: "/apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME".
http::Request StatusPatchRequest(const std::string& path, std::string body);

}  // namespace berth::reconcile
