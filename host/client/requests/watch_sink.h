// Passes the events of a watch on, in the encoding that the server has chosen. Thread: the stream's, one call at a
// time. Ownership: what the functions refer to outlives the stream.
#pragma once

#include <functional>
#include <utility>

#include "client/http/transport.h"
#include "client/requests/encoding.h"
#include "client/requests/frame_framer.h"
#include "client/requests/line_framer.h"

namespace berth::requests {

class WatchSink final : public http::BodySink {
 public:
  using OnEvent = std::function<bool(Encoded)>;  // a line or a frame, for WatchEvent::Of; false ends the stream
  using Status = std::function<void(int)>;       // called once, before any event

  WatchSink(OnEvent event, Status status) : event_(std::move(event)), status_(std::move(status)) {}
  void OnHead(const http::ReplyHead& head) override {
    encoding_ = EncodingOf(head.content_type);
    status_(head.status);
  }
  bool OnBytes(std::string_view bytes) override {
    bool refused = false;
    const auto event = [&](std::string_view text) {
      refused = !event_({encoding_, text});
      return !refused;
    };
    const bool fed = encoding_ == Encoding::kProtobuf ? frames_.Feed(bytes, event) : lines_.Feed(bytes, event);
    too_long_ = !fed && !refused;
    return fed;
  }
  // The stream ended because of an event that is longer than any object of an API server.
  bool too_long() const { return too_long_; }

 private:
  Encoding encoding_ = Encoding::kJson;
  bool too_long_ = false;
  LineFramer lines_;
  FrameFramer frames_;
  const OnEvent event_;
  const Status status_;
};

}  // namespace berth::requests
