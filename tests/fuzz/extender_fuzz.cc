// Answers of extenders: whatever the text, it is decoded or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "extender/answer.h"
#include "extender/first_value.h"

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
  Check(extender::DecodeFilterAnswer(text));
  Check(extender::DecodeScores(text));
  Check(extender::DecodeBindAnswer(text));
  Check(extender::DecodePreemptAnswer(text));
  return 0;
}
