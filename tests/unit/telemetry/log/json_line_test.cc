// The lines are those of k8s.io/component-base v0.36.3 logs/json for the same calls, with another time and caller.
#include "telemetry/log/json_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "codec/json/value.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::log {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

constexpr int64_t kTime = 1795442877228037400;
constexpr const char* kHead = R"({"ts":1795442877228.0374,"caller":"engine/engine.cc:47","msg":)";

struct JsonCase {
  const char* name;
  Severity severity = Severity::kInfo;
  int v = 0;
  std::string message;
  std::vector<Pair> pairs = {};
  std::string want;  // after "msg":
};

class JsonLines : public testing::TestWithParam<JsonCase> {};

TEST_P(JsonLines, AreUpstreams) {
  const JsonCase& c = GetParam();
  EXPECT_EQ(JsonText({c.severity, c.v, "/src/host/scheduler/engine/engine.cc", 47, c.message, c.pairs}, kTime),
            kHead + c.want);
}

const std::vector<std::string> kList{"a", "b<\xff"};
const std::string kOdd("a\"b\\c\n\t\r\0\x1b\u2028\u00e9<>&\x7f", 19);

INSTANTIATE_TEST_SUITE_P(
    Upstream, JsonLines,
    testing::Values(
        JsonCase{.name = "Plain", .message = "plain", .want = R"("plain","v":0})"},
        JsonCase{.name = "Pod",
                 .v = 3,
                 .message = "Attempting to schedule pod",
                 .pairs = {{"pod", KObj("default/test")}},
                 .want = R"("Attempting to schedule pod","v":3,"pod":{"name":"test","namespace":"default"}})"},
        JsonCase{.name = "PodAndNode",
                 .v = 2,
                 .message = "Successfully bound pod to node",
                 .pairs = {{"pod", KObj("default/test")}, {"node", KObj("n1")}, {"evaluatedNodes", 3}},
                 .want = R"("Successfully bound pod to node","v":2,"pod":{"name":"test","namespace":"default"},)"
                         R"("node":{"name":"n1"},"evaluatedNodes":3})"},
        JsonCase{.name = "ErrOfAnInfoLineKeepsItsPlace",
                 .v = 2,
                 .message = "Unable to schedule pod; no fit; waiting",
                 .pairs = {{"err", "0/3 nodes"}, {"pod", KObj("default/test")}},
                 .want = R"("Unable to schedule pod; no fit; waiting","v":2,"err":"0/3 nodes",)"
                         R"("pod":{"name":"test","namespace":"default"}})"},
        JsonCase{.name = "Error",
                 .severity = Severity::kError,
                 .v = 7,
                 .message = "Error scheduling pod; retrying",
                 .pairs = {{"err", "bad thing"}, {"pod", KObj("default/test")}},
                 .want = R"("Error scheduling pod; retrying","pod":{"name":"test","namespace":"default"},)"
                         R"("err":"bad thing"})"},
        JsonCase{.name = "ErrorWithoutErr",
                 .severity = Severity::kError,
                 .message = "Leaderelection lost",
                 .want = R"("Leaderelection lost"})"},
        JsonCase{.name = "WarningIsAnInfoLine",
                 .severity = Severity::kWarning,
                 .v = 5,
                 .message = "legacy warning",
                 .want = R"("legacy warning","v":0})"},
        JsonCase{.name = "Numbers",
                 .message = "types",
                 .pairs = {{"b", true},
                           {"i", -3},
                           {"u", std::numeric_limits<uint64_t>::max()},
                           {"f", 1.5},
                           {"f0", 2.0},
                           {"big", 1e21},
                           {"small", 1e-7}},
                 .want = R"("types","v":0,"b":true,"i":-3,"u":18446744073709551615,"f":1.5,"f0":2,)"
                         R"("big":1000000000000000000000,"small":0.0000001})"},
        JsonCase{.name = "NumbersThatJsonDoesNotHave",
                 .message = "types",
                 .pairs = {{"nan", std::nan("")}, {"inf", HUGE_VAL}, {"ninf", -HUGE_VAL}},
                 .want = R"("types","v":0,"nan":"NaN","inf":"+Inf","ninf":"-Inf"})"},
        JsonCase{.name = "DurationAndLists",
                 .message = "types",
                 .pairs = {{"d", std::chrono::milliseconds(1500)}, {"l", kList}, {"e", std::span<const std::string>()}},
                 .want = R"("types","v":0,"d":"1.5s","l":["a","b<\ufffd"],"e":[]})"},
        JsonCase{.name = "Texts",
                 .message = "types",
                 .pairs = {{"s", kOdd},
                           {"bad",
                            "a\xff"
                            "b"}},
                 .want = "\"types\",\"v\":0,\"s\":\"a\\\"b\\\\c\\n\\t\\r\\u0000\\u001b\u2028\u00e9<>&\x7f\","
                         "\"bad\":\"a\\ufffdb\"}"},
        JsonCase{.name = "MessageAndKeyAreEscaped",
                 .message = "m\"s\ng\xff<",
                 .pairs = {{"k\"\xff<", 1}},
                 .want = R"("m\"s\ng\ufffd<","v":0,"k\"\ufffd<":1})"},
        JsonCase{.name = "TheSameKeyTwice",
                 .message = "dup",
                 .pairs = {{"a", 1}, {"a", 2}},
                 .want = R"("dup","v":0,"a":1,"a":2})"},
        JsonCase{.name = "EmptyKey",
                 .message = "m",
                 .pairs = {{"empty", KObj("")}},
                 .want = R"("m","v":0,"empty":{"name":""}})"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(JsonLine, NamesTheCallerByItsLastDirectory) {
  EXPECT_THAT(JsonText({Severity::kInfo, 0, "engine.cc", 1, "m"}, 0), HasSubstr(R"("caller":"engine.cc:1")"));
  EXPECT_THAT(JsonText({Severity::kInfo, 0, "/engine.cc", -1, "m"}, 0), HasSubstr(R"("caller":"/engine.cc:0")"));
  EXPECT_THAT(JsonText({Severity::kInfo, 0, "a/b.cc", 1, "m"}, 0), HasSubstr(R"("caller":"a/b.cc:1")"));
}

TEST(JsonLine, LongTextsAreCutAndTheLineStaysValid) {
  std::string umlauts;
  while (umlauts.size() < 40'000) umlauts += "\xc3\xa4";
  const std::string zeros(29'999, '\0'), invalid(20'000, '\xff');
  const std::vector<std::string> list(3000, "an element of the list");
  struct {
    const char* name;
    std::string message;
    std::vector<Pair> pairs;
  } const cases[] = {
      {"message", umlauts, {}},
      {"text", "m", {{"text", umlauts}, {"left", 3}}},
      {"escapes", "m", {{"text", zeros}}},
      {"invalid", invalid, {{"text", invalid}}},
      {"list", "m", {{"list", list}}},
      {"key", "m", {{"pod", KObj(umlauts)}}},
      {"many", umlauts, {{"a", umlauts}, {"b", umlauts}, {"c", KObj(umlauts)}, {"d", list}, {"e", umlauts}}},
  };
  for (const auto& c : cases) {
    const std::string line = JsonText({Severity::kInfo, 0, "a/b.cc", 1, c.message, c.pairs}, kTime);
    EXPECT_LT(line.size(), 30'000u) << c.name;
    EXPECT_GT(line.size(), 3'000u) << c.name;
    EXPECT_THAT(line, HasSubstr("... (cut, ")) << c.name;
    const auto parsed = json::Parse(line);
    EXPECT_TRUE(parsed) << c.name << ": " << parsed.error().message;
  }
}

// Any bytes make a line that a JSON reader accepts.
TEST(JsonLine, AnyBytesMakeValidJson) {
  uint32_t state = 1;
  const auto random = [&state] { return state = state * 1664525 + 1013904223, state >> 24; };
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (uint32_t i = random(); i > 0; --i) text += static_cast<char>(random());
    const Pair pairs[] = {{text, text}, {"pod", KObj(text)}, {"list", std::vector<std::string>{}}};
    const std::string line = JsonText({Severity::kError, 0, text, 1, text, pairs}, kTime);
    std::vector<json::DuplicateKey> duplicates;
    ASSERT_TRUE(json::ParseCollecting(line, duplicates)) << line;
    ASSERT_EQ(line.find('\n'), std::string::npos);
  }
}

class JsonFormat : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Init({.verbosity = 2, .format = Format::kJson})); }
  void TearDown() override { ASSERT_TRUE(Init({})); }
};

TEST_F(JsonFormat, AppliesToAllLines) {
  Capture capture;
  V(2, "seen", {{"pod", KObj("a/b")}});
  V(3, "not seen");
  Error("bad", {{"err", "why"}, {"n", 1}});
  ASSERT_EQ(capture.Lines().size(), 2u);
  EXPECT_THAT(capture.Lines()[0],
              MatchesRegex("[{]\"ts\":[0-9]+[.]?[0-9]*,\"caller\":\"log/json_line_test.cc:[0-9]+\",\"msg\":\"seen\","
                           "\"v\":2,\"pod\":[{]\"name\":\"b\",\"namespace\":\"a\"[}][}]"));
  EXPECT_THAT(capture.Lines()[1], MatchesRegex("[{].*,\"msg\":\"bad\",\"n\":1,\"err\":\"why\"[}]"));
}

TEST_F(JsonFormat, WritesInfoLinesToStandardOutputIfTheStreamsAreSplit) {
  ASSERT_TRUE(Init({.format = Format::kJson, .streams = {.split = true}}));
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Info("info");
  Warning("warning");
  Error("error");
  const std::string out = testing::internal::GetCapturedStdout(), err = testing::internal::GetCapturedStderr();
  EXPECT_THAT(out, MatchesRegex("[{].*\"info\".*[}]\n[{].*\"warning\".*[}]\n"));
  EXPECT_THAT(err, MatchesRegex("[{].*\"error\".*[}]\n"));
}

TEST(TextFormat, WritesWarningsToStandardErrorIfTheStreamsAreSplit) {
  ASSERT_TRUE(Init({.streams = {.split = true}}));
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Info("info");
  Warning("warning");
  Error("error");
  const std::string out = testing::internal::GetCapturedStdout(), err = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(Init({}));
  EXPECT_THAT(out, MatchesRegex("I.* info\n"));
  EXPECT_THAT(err, MatchesRegex("W.* warning\nE.* error\n"));
}

}  // namespace
}  // namespace berth::log
