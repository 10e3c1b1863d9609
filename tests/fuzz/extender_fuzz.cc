// Replies of extenders: each text must be decoded or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scheduler/extender/extender_reply.h"
#include "scheduler/extender/first_value.h"

namespace {

template <class Result>
void Check(const Result& result) {
  if (!result && result.error().message.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace extender = berth::extender;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view value = extender::FirstValue(text);
  if (extender::FirstValue(value) != value) std::abort();
  Check(extender::DecodeFilterReply(text));
  Check(extender::DecodeScores(text));
  Check(extender::DecodeBindReply(text));
  Check(extender::DecodePreemptionReply(text));
  return 0;
}
