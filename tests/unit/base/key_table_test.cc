#include "base/key_table.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <unordered_map>

#include "base/random.h"

namespace berth::base {
namespace {

struct Node {
  std::string key;
  Node* next = nullptr;
  uint32_t hash = 0;
};
struct ByKey {
  static std::string_view Key(const Node& node) { return node.key; }
  static Node*& Next(Node& node) { return node.next; }
  static uint32_t& Hash(Node& node) { return node.hash; }
};

TEST(KeyTable, FindsNothingWhenEmpty) {
  KeyTable<Node, ByKey> table;
  Node stranger{"a"};
  EXPECT_EQ(table.Find("a"), nullptr);
  EXPECT_FALSE(table.Remove(stranger));
  EXPECT_EQ(table.size(), 0u);
}

TEST(KeyTable, AgreesWithAMapOverManyInsertionsAndRemovals) {
  KeyTable<Node, ByKey> table;
  std::deque<Node> nodes;
  std::unordered_map<std::string, Node*> model;
  Random random(7);
  for (int step = 0; step < 50'000; ++step) {
    const std::string key = "pod-" + std::to_string(random.Below(2000));
    const auto at = model.find(key);
    ASSERT_EQ(table.Find(key), at == model.end() ? nullptr : at->second);
    if (at == model.end()) {
      nodes.push_back({key});
      table.Insert(nodes.back());
      model[key] = &nodes.back();
    } else if (random.Below(2) == 0) {
      ASSERT_TRUE(table.Remove(*at->second));
      ASSERT_FALSE(table.Remove(*at->second));
      model.erase(at);
    }
    ASSERT_EQ(table.size(), model.size());
  }
  size_t seen = 0;
  table.ForEach([&](Node& node) { seen += model.count(node.key); });
  EXPECT_EQ(seen, model.size());
}

}  // namespace
}  // namespace berth::base
