#include "codec/fields/field_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec/json/value.h"

namespace berth::fields {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FieldReaderTest : public testing::Test {
 protected:
  // Reads the object with read, and returns the paths and reasons of its issues.
  template <class Read>
  std::vector<std::string> IssuesOf(const std::string& text, Read read, Quoting quoting = Quoting::kValues) {
    const json::Value object = json::Parse(text).value();
    Issues issues("f", object);
    FieldReader reader(object, "spec", issues, quoting);
    read(reader);
    reader.Done();
    std::vector<std::string> found;
    for (const Issue& issue : issues.Take()) found.push_back(issue.path + ": " + issue.reason);
    return found;
  }
};

TEST_F(FieldReaderTest, ReadsEachType) {
  bool flag = false;
  int32_t number = 0;
  std::string text, bytes;
  std::chrono::nanoseconds time{};
  std::vector<std::string> list;
  EXPECT_THAT(IssuesOf(R"({"b":true,"n":7,"s":"x","d":"1m30s","c":"YWI=","l":["a","b"]})",
                       [&](FieldReader& r) {
                         r.Bool("b", flag), r.Int32("n", number), r.String("s", text), r.Duration("d", time);
                         r.Base64("c", bytes), r.Strings("l", list);
                       }),
              IsEmpty());
  EXPECT_TRUE(flag);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, "x");
  EXPECT_EQ(time, std::chrono::seconds(90));
  EXPECT_EQ(bytes, "ab");
  EXPECT_THAT(list, ElementsAre("a", "b"));
}

TEST_F(FieldReaderTest, ReportsAWrongTypeAndKeepsTheOldValue) {
  int32_t number = 5;
  EXPECT_THAT(IssuesOf(R"({"n":"x"})", [&](FieldReader& r) { EXPECT_FALSE(r.Int32("n", number)); }),
              ElementsAre(R"(spec.n: Invalid value: "x": expected int32, got string)"));
  EXPECT_EQ(number, 5);
}

TEST_F(FieldReaderTest, ReportsANumberOutOfRange) {
  int32_t number = 5;
  EXPECT_THAT(IssuesOf(R"({"n":3000000000})", [&](FieldReader& r) { r.Int32("n", number); }),
              ElementsAre(HasSubstr("spec.n: Invalid value: 3000000000")));
  EXPECT_EQ(number, 5);
}

TEST_F(FieldReaderTest, TakesNullAsAbsent) {
  std::string text = "kept";
  EXPECT_THAT(IssuesOf(R"({"s":null})", [&](FieldReader& r) { EXPECT_FALSE(r.String("s", text)); }), IsEmpty());
  EXPECT_EQ(text, "kept");
}

TEST_F(FieldReaderTest, RefusesNullForADuration) {
  std::chrono::nanoseconds time{5};
  EXPECT_THAT(IssuesOf(R"({"d":null})", [&](FieldReader& r) { EXPECT_FALSE(r.Duration("d", time)); }),
              ElementsAre(R"(spec.d: Invalid value: null: time: invalid duration "")"));
  EXPECT_EQ(time.count(), 5);
}

TEST_F(FieldReaderTest, SuggestsAKnownNameForAnUnknownField) {
  bool flag = false;
  EXPECT_THAT(IssuesOf(R"({"enabeld":true})", [&](FieldReader& r) { r.Bool("enabled", flag); }),
              ElementsAre(testing::AllOf(HasSubstr("unknown field"), HasSubstr("enabled"))));
}

TEST_F(FieldReaderTest, QuotesNoValueOfASecret) {
  std::string token;
  const auto issues =
      IssuesOf(R"({"token":{"a":"hunter2"}})", [&](FieldReader& r) { r.String("token", token); }, Quoting::kNothing);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_THAT(issues[0], testing::Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace berth::fields
