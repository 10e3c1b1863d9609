#include "base/keyed_set.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "base/random.h"

namespace berth::base {
namespace {

struct Value {
  std::shared_ptr<const std::string> key;
  int number = 0;
};
struct ByText {
  static std::string_view Key(const Value& value) { return *value.key; }
};
using Set = KeyedSet<Value, ByText>;

Value Make(const std::string& key, int number) { return {std::make_shared<const std::string>(key), number}; }

TEST(KeyedSet, AgreesWithAMapOverManyInsertionsAndRemovals) {
  Set set;
  std::unordered_map<std::string, int> model;
  Random random(11);
  for (int step = 0; step < 50'000; ++step) {
    const std::string key = "uid-" + std::to_string(random.Below(3000));
    Value* const found = set.Find(key);
    const auto at = model.find(key);
    ASSERT_EQ(found != nullptr, at != model.end());
    if (found == nullptr) {
      ASSERT_EQ(set.Insert(Make(key, step)).number, step);
      model[key] = step;
      continue;
    }
    ASSERT_EQ(found->number, at->second);
    set.Erase(*found);
    model.erase(at);
    ASSERT_EQ(set.size(), model.size());
  }
  size_t seen = 0;
  set.ForEach([&](const Value& value) { seen += model.at(*value.key) == value.number; });
  EXPECT_EQ(seen, model.size());
}

TEST(KeyedSet, AValueMayBeReplacedByOneWithAnEqualKey) {
  Set set;
  Value& value = set.Insert(Make("a", 1));
  value = Make("a", 2);
  EXPECT_EQ(set.Find("a"), &value);
  set.Erase(value);
  EXPECT_EQ(set.Find("a"), nullptr);
}

// As the table of blocks: the key is not a text, values are pointers, and some keys have equal hashes.
TEST(KeyedSet, AKeyMayHaveItsOwnHash) {
  struct TypedText {
    char type;
    std::string_view text;
    uint32_t Hash() const { return static_cast<uint32_t>(text.size()); }
    bool operator==(const TypedText&) const = default;
  };
  struct ByKey {
    static TypedText Key(const std::string* text) { return {text->front(), std::string_view(*text).substr(1)}; }
  };
  const std::string a = "a1", b = "b1", same_as_b = "b1";
  KeyedSet<const std::string*, ByKey> set;
  set.Insert(&a);
  set.Insert(&b);
  EXPECT_EQ(*set.Find({'a', "1"}), &a);
  EXPECT_EQ(*set.Find({'b', "1"}), &b);
  EXPECT_EQ(set.Find({'c', "1"}), nullptr);
  *set.Find({'b', "1"}) = &same_as_b;
  EXPECT_EQ(*set.Find({'b', "1"}), &same_as_b);
  set.Erase(*set.Find({'a', "1"}));
  EXPECT_EQ(set.Find({'a', "1"}), nullptr);
  EXPECT_EQ(set.size(), 1u);
}

TEST(KeyedSet, UsesTheMemoryOfARemovedValueAgainAndKeepsNothingInIt) {
  Set set;
  Value& value = set.Insert(Make("a", 1));
  const std::weak_ptr<const std::string> key = value.key;
  set.Erase(value);
  EXPECT_TRUE(key.expired());
  EXPECT_EQ(&set.Insert(Make("b", 2)), &value);
}

TEST(KeyedSet, VisitsTheValuesInTheSameOrderInEachProcess) {
  Set set;
  for (int i = 0; i < 1000; ++i) set.Insert(Make(std::to_string(i), i));
  for (int i = 0; i < 1000; i += 2) set.Erase(*set.Find(std::to_string(i)));
  int last = -1;
  set.ForEach([&](const Value& value) {
    EXPECT_EQ(value.number, last + 2);
    last = value.number;
  });
  EXPECT_EQ(last, 999);
}

TEST(KeyedSet, AValueMayBeErasedWhenItIsVisited) {
  Set set;
  for (int i = 0; i < 1000; ++i) set.Insert(Make(std::to_string(i), i));
  set.ForEach([&](Value& value) {
    if (value.number % 3 != 0) set.Erase(value);
  });
  EXPECT_EQ(set.size(), 334u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(set.Find(std::to_string(i)) != nullptr, i % 3 == 0);
}

TEST(KeyedSet, AddressesAreStable) {
  Set set;
  std::unordered_map<int, Value*> at;
  for (int i = 0; i < 5000; ++i) at[i] = &set.Insert(Make(std::to_string(i), i));
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(set.Find(std::to_string(i)), at[i]);
}

TEST(KeyedSet, FreesItsValues) {
  std::weak_ptr<const std::string> key;
  {
    Set set;
    for (int i = 0; i < 100; ++i) key = set.Insert(Make(std::to_string(i), i)).key;
  }
  EXPECT_TRUE(key.expired());
}

}  // namespace
}  // namespace berth::base
