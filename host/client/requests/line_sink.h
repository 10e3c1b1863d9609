// Passes the lines of a streamed body on. Thread: the stream's, one call at a time. Ownership: what the functions refer
// to outlives the stream.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "client/http/transport.h"
#include "client/requests/line_framer.h"

namespace berth::requests {

class LineSink final : public http::BodySink {
 public:
  using OnLine = std::function<bool(std::string_view)>;  // false ends the stream
  using Status = std::function<void(int)>;               // called once, before any line; may be empty

  explicit LineSink(OnLine line, Status status = {}, LineFramer framer = LineFramer())
      : framer_(std::move(framer)), line_(std::move(line)), status_(std::move(status)) {}
  void OnHead(const http::ReplyHead& head) override {
    if (status_) status_(head.status);
  }
  bool OnBytes(std::string_view bytes) override { return framer_.Feed(bytes, line_); }

 private:
  LineFramer framer_;
  const OnLine line_;
  const Status status_;
};

}  // namespace berth::requests
