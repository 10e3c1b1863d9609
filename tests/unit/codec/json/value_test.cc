#include "codec/json/value.h"

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(Value, NeutralWhenOfAnotherKind) {
  const Value text("12");
  EXPECT_FALSE(text.boolean());
  EXPECT_EQ(text.integer(), 0);
  EXPECT_EQ(text.number(), 0.0);
  EXPECT_TRUE(text.array().empty());
  EXPECT_TRUE(text.object().empty());
  EXPECT_EQ(Value(3).string(), "");
  EXPECT_EQ(text.Find("x"), nullptr);
}

TEST(Value, KindsFollowConstructors) {
  EXPECT_EQ(Value().kind(), Kind::kNull);
  EXPECT_EQ(Value(nullptr).kind(), Kind::kNull);
  EXPECT_EQ(Value(true).kind(), Kind::kBool);
  EXPECT_EQ(Value(1).kind(), Kind::kInt);
  EXPECT_EQ(Value(1.0).kind(), Kind::kNumber);
  EXPECT_EQ(Value("x").kind(), Kind::kString);
  EXPECT_EQ(Value(Array()).kind(), Kind::kArray);
  EXPECT_EQ(Value(Object()).kind(), Kind::kObject);
  EXPECT_TRUE(Value(1).is_number());
  EXPECT_TRUE(Value(1.5).is_number());
  EXPECT_FALSE(Value(1.5).is_int());
  EXPECT_EQ(Value(7).number(), 7.0);
}

TEST(Value, WholeNumbersBeyondInt64KeepTheirDigits) {
  EXPECT_EQ(Value::Whole(INT64_MAX), Value(INT64_MAX));
  const Value large = Value::Whole(UINT64_MAX);
  EXPECT_EQ(large.kind(), Kind::kNumber);
  EXPECT_TRUE(large.is_number());
  EXPECT_FALSE(large.is_int());
  EXPECT_EQ(large.integer(), 0);
  EXPECT_EQ(large.number(), 18446744073709551615.0);
  EXPECT_EQ(large.beyond_int64(), UINT64_MAX);
  EXPECT_EQ(Value(1.0).beyond_int64(), 0u);
  EXPECT_FALSE(large == Value::Whole(UINT64_MAX - 1));
}

TEST(Value, ObjectsKeepOrderAndReplaceInPlace) {
  Value object;
  object.Set("b", 1);
  object.Set("a", 2);
  object.Set("b", 3);
  ASSERT_EQ(object.object().size(), 2u);
  EXPECT_EQ(object.object()[0].first, "b");
  EXPECT_EQ(object.Find("b")->integer(), 3);
  object["c"]["d"] = "deep";
  EXPECT_EQ(object.FindPath("c.d")->string(), "deep");
  EXPECT_EQ(object.FindPath("c.x"), nullptr);
  EXPECT_EQ(object.FindPath("a.x"), nullptr);
  EXPECT_TRUE(object.Erase("a"));
  EXPECT_FALSE(object.Erase("a"));
  EXPECT_FALSE(Value(1).Erase("a"));
}

TEST(Value, BuildingReplacesAnotherKind) {
  Value value("text");
  value.Append(1);
  value.Append("two");
  EXPECT_EQ(value.array().size(), 2u);
  value.mutable_object();
  EXPECT_TRUE(value.is_object());
}

TEST(Value, EqualityIgnoresOrderAndMarksButNotKinds) {
  Value left = Value::MakeObject({{"a", 1}, {"b", Array{Value(1), Value("x")}}});
  Value right = Value::MakeObject({{"b", Array{Value(1), Value("x")}}, {"a", 1}});
  right.set_mark({4, 2});
  EXPECT_EQ(left, right);
  right.Set("a", 1.0);
  EXPECT_FALSE(left == right);
  EXPECT_FALSE(Value(1) == Value(1.0));
  EXPECT_FALSE((Value(Array{Value(1), Value(2)}) == Value(Array{Value(2), Value(1)})));
  EXPECT_FALSE(Value::MakeObject({{"a", 1}}) == Value::MakeObject({{"b", 1}}));
}

}  // namespace
}  // namespace berth::json
