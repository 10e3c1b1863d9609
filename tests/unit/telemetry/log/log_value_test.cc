#include "telemetry/log/log_value.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth::log {
namespace {

std::string Text(const Value& value) {
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(Value, NumbersAndTruthValuesAreBare) {
  EXPECT_EQ(Text(true), "=true");
  EXPECT_EQ(Text(-7), "=-7");
  EXPECT_EQ(Text(uint8_t{200}), "=200");
  EXPECT_EQ(Text(std::numeric_limits<int64_t>::min()), "=-9223372036854775808");
  EXPECT_EQ(Text(std::numeric_limits<uint64_t>::max()), "=18446744073709551615");
}

// The output of Go's encoding/json.
TEST(Value, Doubles) {
  EXPECT_EQ(Text(0.0), "=0");
  EXPECT_EQ(Text(50.0), "=50");
  EXPECT_EQ(Text(0.5), "=0.5");
  EXPECT_EQ(Text(100000.0), "=100000");
  EXPECT_EQ(Text(1e20), "=100000000000000000000");
  EXPECT_EQ(Text(1e21), "=1e+21");
  EXPECT_EQ(Text(0.000001), "=0.000001");
  EXPECT_EQ(Text(0.0000001), "=1e-7");
  EXPECT_EQ(Text(-2.5e-12), "=-2.5e-12");
  EXPECT_EQ(Text(std::numeric_limits<double>::quiet_NaN()), "=\"NaN\"");
  EXPECT_EQ(Text(-std::numeric_limits<double>::infinity()), "=\"-Inf\"");
}

TEST(Value, TextIsQuoted) {
  EXPECT_EQ(Text("default/test"), "=\"default/test\"");
  EXPECT_EQ(Text(std::string("say \"hi\"\t\\")), "=\"say \\\"hi\\\"\\t\\\\\"");
  EXPECT_EQ(Text(""), "=\"\"");
  EXPECT_EQ(Text(static_cast<const char*>(nullptr)), "=\"\"");
  EXPECT_EQ(Text("\x1b[2J"), "=\"\\x1b[2J\"");
}

TEST(Value, TextWithLineBreaksIsSetOff) {
  EXPECT_EQ(Text("one\ntwo"), "=<\n\tone\n\ttwo\n >");
  EXPECT_EQ(Text("one\ntwo\n"), "=<\n\tone\n\ttwo\n >");
  EXPECT_EQ(Text("\n"), "=<\n\t\n >");
  EXPECT_EQ(Text("a\n\nb"), "=<\n\ta\n\t\n\tb\n >");
}

TEST(Value, ListsAreJson) {
  EXPECT_EQ(Text(std::vector<std::string>{}), "=[]");
  EXPECT_EQ(Text(std::vector<std::string>{"a", "b\"c"}), "=[\"a\",\"b\\\"c\"]");
}

TEST(LineText, QuotesTheMessageOnlyBeforePairs) {
  EXPECT_EQ(LineText("Sync completed", {}), "Sync completed");
  const Pair pairs[] = {{"pod", "default/test"}, {"attempts", 3}};
  EXPECT_EQ(LineText("Attempting to schedule pod", pairs),
            "\"Attempting to schedule pod\" pod=\"default/test\" attempts=3");
}

}  // namespace
}  // namespace berth::log
