#include <gtest/gtest.h>

#include "codec/text/base64.h"
#include "codec/text/duration.h"
#include "codec/text/label_syntax.h"

namespace berth::config {
namespace {

using std::chrono::nanoseconds;

TEST(Duration, ReadsAndPrintsLikeGo) {
  struct Case {
    const char* text;
    int64_t count;
    const char* printed;
  };
  const Case cases[] = {
      {"0", 0, "0s"},
      {"15s", 15'000'000'000, "15s"},
      {"10m", 600'000'000'000, "10m0s"},
      {"1h", 3'600'000'000'000, "1h0m0s"},
      {"1h15m30.918s", 4'530'918'000'000, "1h15m30.918s"},
      {"100ms", 100'000'000, "100ms"},
      {"1500us", 1'500'000, "1.5ms"},
      {"2\xC2\xB5s", 2'000, "2\xC2\xB5s"},
      {"1.5\xC2\xB5s", 1'500, "1.5\xC2\xB5s"},
      {"7ns", 7, "7ns"},
      {"-1.5h", -5'400'000'000'000, "-1h30m0s"},
      {"+.5s", 500'000'000, "500ms"},
      {"1.s", 1'000'000'000, "1s"},
      {"0.1000000000000000000000s", 100'000'000, "100ms"},
      {"2540400h10m10.000000001s", 9'145'440'610'000'000'001, "2540400h10m10.000000001s"},
      {"9223372036854775807ns", INT64_MAX, "2562047h47m16.854775807s"},
      {"-9223372036854775808ns", INT64_MIN, "-2562047h47m16.854775808s"},
  };
  for (const Case& c : cases) {
    const auto duration = text::ParseDuration(c.text);
    ASSERT_TRUE(duration) << c.text << ": " << duration.error().message;
    EXPECT_EQ(duration->count(), c.count) << c.text;
    EXPECT_EQ(text::FormatDuration(*duration), c.printed) << c.text;
  }
}

TEST(Duration, ErrorsAreThoseOfGo) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "time: invalid duration \"\""},
      {"3", "time: missing unit in duration \"3\""},
      {"-", "time: invalid duration \"-\""},
      {"s", "time: invalid duration \"s\""},
      {".s", "time: invalid duration \".s\""},
      {"1d", "time: unknown unit \"d\" in duration \"1d\""},
      {"15 s", "time: unknown unit \" s\" in duration \"15 s\""},
      {"1h 5m", "time: unknown unit \"h \" in duration \"1h 5m\""},
      {"9223372036854775808ns", "time: invalid duration \"9223372036854775808ns\""},
      {"3000000h", "time: invalid duration \"3000000h\""},
      {"2562047h2562047h", "time: invalid duration \"2562047h2562047h\""},
      {"99999999999999999999s", "time: invalid duration \"99999999999999999999s\""},
  };
  for (const auto& [text, error] : cases) {
    const auto duration = text::ParseDuration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_EQ(duration.error().message, error);
  }
}

TEST(Base64, RoundTrips) {
  for (const std::string& bytes : {std::string(), std::string("f"), std::string("fo"), std::string("foo"),
                                   std::string("hello world"), std::string("\0\xff\x80", 3)}) {
    const auto decoded = text::DecodeBase64(text::EncodeBase64(bytes));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(*decoded, bytes);
  }
  EXPECT_EQ(text::EncodeBase64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(*text::DecodeBase64("Zm9v\r\nYmE=\n"), "fooba");
}

TEST(Base64, NamesTheBadByte) {
  const std::pair<const char*, size_t> cases[] = {{"&&", 0},    {"Zm9vYmE", 7}, {"Zg=", 3},
                                                  {"Zg==x", 4}, {"=", 0},       {"Zg=v", 3}};
  for (const auto& [text, at] : cases) {
    const auto decoded = text::DecodeBase64(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_EQ(decoded.error().message, "illegal base64 data at input byte " + std::to_string(at)) << text;
  }
}

TEST(LabelSyntax, Keys) {
  for (const std::string& key :
       {std::string("a"), std::string("simple-1_.x"), std::string("example.com/Name"), std::string(63, 'a'),
        "1.2.3.4/" + std::string(63, 'a'), std::string(253, 'a') + "/a"}) {
    EXPECT_TRUE(text::LabelKeyErrors(key).empty()) << key;
  }
  for (const std::string& key : {std::string(), std::string("-a"), std::string("a-"), std::string("a b"),
                                 std::string("/a"), std::string("a/"), std::string("a/b/c"), std::string(64, 'a'),
                                 std::string("Ex.com/a"), std::string("a..b/c"), std::string(254, 'a') + "/a"}) {
    EXPECT_FALSE(text::LabelKeyErrors(key).empty()) << key;
  }
  EXPECT_EQ(text::LabelKeyErrors("/a"), std::vector<std::string>{"prefix part must be non-empty"});
  EXPECT_EQ(text::LabelKeyErrors(std::string(64, 'a')),
            std::vector<std::string>{"name part must be no more than 63 bytes"});
}

TEST(LabelSyntax, ValuesAndExtendedResources) {
  EXPECT_TRUE(text::LabelValueErrors("").empty());
  EXPECT_TRUE(text::LabelValueErrors("a.b_c-D").empty());
  EXPECT_EQ(text::LabelValueErrors("a b").size(), 1u);
  EXPECT_EQ(text::LabelValueErrors(std::string(64, ' ')).size(), 2u);
  EXPECT_TRUE(text::IsExtendedResourceName("example.com/gpu"));
  for (const char* name : {"cpu", "kubernetes.io/x", "sub.kubernetes.io/x", "requests.example.com/x"}) {
    EXPECT_FALSE(text::IsExtendedResourceName(name)) << name;
  }
}

}  // namespace
}  // namespace berth::config
