// Made-up objects of every kind in both encodings: tests/conformance/cmd/protobufcases wrote them with upstream's
// encoders.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "compare.h"

namespace berth::protobuf {
namespace {

TEST(Recorded, BothEncodingsGiveTheSameObject) {
  std::ifstream in(BERTH_TEST_SOURCE_DIR "/tests/data/protobuf/objects.bin", std::ios::binary);
  const std::string file(std::istreambuf_iterator<char>(in), {});
  const auto cases = CasesOf(file);
  ASSERT_GE(cases.size(), 32U);
  for (const Case& one : cases) EXPECT_EQ(CompareEncodings(one), "") << one.json;
}

}  // namespace
}  // namespace berth::protobuf
