// Whether a reflector asks for protobuf: if its kind has it and it is wanted, until several answers in a row cannot be
// read, as behind a proxy that changes what it does not know. Thread: any for asks; the rest the reflector's, and those
// of the transport that call it, one at a time.
#pragma once

#include <atomic>
#include <string>

#include "api/protobuf/message_types.h"

namespace berth::reflector {

class ProtobufUse {
 public:
  static constexpr int kMostUnreadable = 3;  // one after the other

  // path: of the kind's list, "/api/v1/pods".
  explicit ProtobufUse(const std::string& path) : kind_(protobuf::FindKind(path)) {}

  const protobuf::KindType* kind() const { return kind_; }  // null: the kind has JSON only
  bool asks() const { return kind_ != nullptr && asks_; }
  void set_wanted(bool wanted) { asks_ = wanted; }

  void Readable() { unreadable_ = 0; }
  // An answer that was no list, or no event. True: from now on the reflector does not ask for protobuf.
  bool Unreadable() {
    if (!asks() || ++unreadable_ < kMostUnreadable) return false;
    asks_ = false;
    return true;
  }

 private:
  const protobuf::KindType* const kind_;
  std::atomic<bool> asks_ = true;
  int unreadable_ = 0;
};

}  // namespace berth::reflector
