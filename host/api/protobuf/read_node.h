// Reads a v1.Node into a draft. Thread: one owner. Ownership: the draft contains views of the message and of this
// object, until the next Read.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "api/draft.h"
#include "api/protobuf/message.h"

namespace berth::protobuf {

class NodeReading {
 public:
  void Read(std::string_view text);  // throws DecodeError
  api::NodeDraft& draft() { return draft_; }

 private:
  void ReadSpec(Message& outer);
  void ReadStatus(Message& outer);
  void ReadTaint(Message& outer);
  void ReadImage(Message& outer);
  void ReadCondition(Message& outer);

  api::NodeDraft draft_;
  std::deque<std::string> times_;  // as JSON has them
};

}  // namespace berth::protobuf
