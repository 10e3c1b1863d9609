#include "scheduler/objects/store.h"

#include <gmock/gmock.h>

#include <map>
#include <thread>

namespace berth::objects {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StoreTest : public ::testing::Test {
 protected:
  ObjectRef Claim(const std::string& ns, const std::string& name, const std::string& version, int size = 1,
                  const std::string& uid = "") {
    return *ParseObject(intern, R"({"metadata": {"name": ")" + name + R"(", "namespace": ")" + ns + R"(", "uid": ")" +
                                    (uid.empty() ? ns + name : uid) + R"(", "resourceVersion": ")" + version +
                                    R"("}, "spec": {"size": )" + std::to_string(size) + "}}");
  }
  std::vector<std::string> Keys(std::string_view ns) const {
    std::vector<std::string> keys;
    const berth_list list = store.List(claims, ns);
    for (uint32_t i = 0; i < list.n; ++i) {
      const berth_object* object = static_cast<const berth_object* const*>(list.ptr)[i];
      keys.push_back(std::string(object->ns.ptr, object->ns.len) + "/" +
                     std::string(object->name.ptr, object->name.len));
    }
    return keys;
  }
  int64_t Size(const std::string& name) const {
    const Object* found = store.Get(claims, "ns", name);
    return found == nullptr ? -1 : found->value.FindPath("spec.size")->integer();
  }
  // "key:before->now" of each change, by size; "-": none.
  std::vector<std::string> Changes() {
    std::vector<Change> changes;
    store.TakeChanges(changes);
    std::vector<std::string> texts;
    const auto text = [](const ObjectRef& object) {
      return object == nullptr ? "-" : std::to_string(object->value.FindPath("spec.size")->integer());
    };
    for (const Change& c : changes) {
      texts.push_back((c.now == nullptr ? c.before : c.now)->key() + ":" + text(c.before) + "->" + text(c.now));
    }
    return texts;
  }

  api::InternTables intern;
  ObjectStore store{intern};
  const KindId claims = store.Need("", "v1", "persistentvolumeclaims");
};

TEST_F(StoreTest, AKindHasOneNumber) {
  EXPECT_EQ(store.Need("", "v1", "persistentvolumeclaims"), claims);
  const KindId classes = store.Need("storage.k8s.io", "v1", "storageclasses");
  EXPECT_NE(classes, claims);
  EXPECT_THAT(store.NeededKinds(), ElementsAre(claims, classes));
  EXPECT_EQ(store.KindOf(classes).path(), "/apis/storage.k8s.io/v1/storageclasses");
  EXPECT_EQ(store.Find("storage.k8s.io", "v1", "storageclasses"), classes);
  EXPECT_EQ(store.Find("storage.k8s.io", "v1beta1", "storageclasses"), 0u);
  EXPECT_EQ(store.Need("", "v1", "no/kind"), 0u);
}

TEST_F(StoreTest, KindsAreAFewHundred) {
  KindId last = claims;
  for (size_t i = 1; i < ObjectStore::kMaxKinds; ++i) last = store.Need("g.io", "v1", "foos" + std::to_string(i));
  EXPECT_EQ(last, ObjectStore::kMaxKinds);
  EXPECT_EQ(store.Need("g.io", "v1", "onemore"), 0u);
  EXPECT_EQ(store.Need("", "v1", "persistentvolumeclaims"), claims);
}

TEST_F(StoreTest, KindsMayBeNeededFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 50; ++i) {
        const KindId kind = store.Need("g.io", "v1", "foos" + std::to_string(i));
        EXPECT_EQ(store.KindOf(kind).resource, "foos" + std::to_string(i));
        EXPECT_EQ(store.List(kind, "").n, 0u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.NeededKinds().size(), 51u);
}

TEST_F(StoreTest, ListsAreSortedByNamespaceAndName) {
  // As one text "a-b/x" would come before "a/z".
  for (const auto& [ns, name] : {std::pair("b", "y"), {"a-b", "x"}, {"a", "z"}, {"a", "c"}, {"b", "a"}}) {
    store.Set(claims, Claim(ns, name, "1"));
  }
  EXPECT_THAT(Keys(""), ElementsAre("a/c", "a/z", "a-b/x", "b/a", "b/y"));
  EXPECT_THAT(Keys("a"), ElementsAre("a/c", "a/z"));
  EXPECT_THAT(Keys("c"), IsEmpty());
  EXPECT_EQ(store.List(99, "").n, 0u);
  EXPECT_EQ(store.Get(0, "a", "c"), nullptr);
}

TEST_F(StoreTest, ChangesAreReportedAndCounted) {
  const uint64_t version = store.Version(claims);
  EXPECT_NE(version, 0u);
  store.Set(claims, Claim("ns", "a", "1", 1));
  store.Set(claims, Claim("ns", "a", "2", 2));
  store.Gone(claims, "ns/a");
  EXPECT_EQ(store.Version(claims), version + 3);
  EXPECT_THAT(Changes(), ElementsAre("ns/a:-->1", "ns/a:1->2", "ns/a:2->-"));
  EXPECT_THAT(Changes(), IsEmpty());
  EXPECT_THAT(Keys(""), IsEmpty());
}

TEST_F(StoreTest, AKnownVersionChangesNothing) {
  store.Set(claims, Claim("ns", "a", "1"));
  Changes();
  const Change none = store.Set(claims, Claim("ns", "a", "1", 5));
  EXPECT_EQ(none.now, nullptr);
  EXPECT_THAT(Changes(), IsEmpty());
  EXPECT_EQ(Size("a"), 1);
  EXPECT_EQ(store.Gone(claims, "ns/other").before, nullptr);
}

TEST_F(StoreTest, AssumptionsAreVisibleUntilReverted) {
  store.Set(claims, Claim("ns", "a", "1", 1));
  Changes();
  const uint64_t version = store.Version(claims);
  const Object* before = store.Get(claims, "ns", "a");
  ASSERT_TRUE(store.Assume(claims, "ns", "a", R"({"spec": {"size": 2}})"));
  EXPECT_EQ(Size("a"), 2);
  EXPECT_NE(store.Version(claims), version);
  EXPECT_EQ(before->value.FindPath("spec.size")->integer(), 1);  // borrowed views stay valid
  EXPECT_THAT(Keys(""), ElementsAre("ns/a"));
  ASSERT_TRUE(store.Assume(claims, "ns", "a", R"({"spec": {"more": true}})"));
  EXPECT_EQ(Size("a"), 2);
  EXPECT_THAT(Changes(), ElementsAre("ns/a:1->2", "ns/a:2->2"));
  store.Revert(claims, "ns", "a");
  EXPECT_THAT(Changes(), ElementsAre("ns/a:2->1"));
  EXPECT_EQ(Size("a"), 1);
  store.Revert(claims, "ns", "a");
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(StoreTest, OnlyANewerVersionReplacesAnAssumption) {
  store.Set(claims, Claim("ns", "a", "9", 1));
  ASSERT_TRUE(store.Assume(claims, "ns", "a", R"({"spec": {"size": 2}})"));
  Changes();
  EXPECT_EQ(store.Set(claims, Claim("ns", "a", "9", 3)).now, nullptr);
  EXPECT_EQ(store.Set(claims, Claim("ns", "a", "8", 3)).now, nullptr);
  EXPECT_EQ(Size("a"), 2);
  const Change newer = store.Set(claims, Claim("ns", "a", "10", 4));   // as a number
  EXPECT_EQ(newer.before->value.FindPath("spec.size")->integer(), 1);  // events show the server's version
  EXPECT_THAT(Changes(), ElementsAre("ns/a:2->4"));
  store.Revert(claims, "ns", "a");
  EXPECT_THAT(Changes(), IsEmpty());
  EXPECT_EQ(Size("a"), 4);
}

TEST_F(StoreTest, ARecreatedObjectIsAnotherObject) {
  store.Set(claims, Claim("ns", "a", "9", 1));
  ASSERT_TRUE(store.Assume(claims, "ns", "a", R"({"spec": {"size": 2}})"));
  store.Set(claims, Claim("ns", "a", "3", 5, "other"));
  EXPECT_EQ(Size("a"), 5);
}

TEST_F(StoreTest, InvalidPatchesAreNotAssumed) {
  store.Set(claims, Claim("ns", "a", "1"));
  EXPECT_FALSE(store.Assume(claims, "ns", "none", "{}"));
  EXPECT_FALSE(store.Assume(claims, "ns", "a", "{"));
  EXPECT_FALSE(store.Assume(claims, "ns", "a", "[]"));
  EXPECT_FALSE(store.Assume(claims, "ns", "a", R"({"metadata": {"name": "b"}})"));
  EXPECT_FALSE(store.Assume(claims, "ns", "a", R"({"metadata": null})"));
  EXPECT_FALSE(store.Assume(77, "ns", "a", "{}"));
  EXPECT_EQ(Size("a"), 1);
}

TEST_F(StoreTest, NotAmongReturnsDeletedObjects) {
  store.Set(claims, Claim("ns", "a", "1"));
  store.Set(claims, Claim("ns", "b", "2"));
  EXPECT_FALSE(store.synced());
  store.Listed(claims);
  EXPECT_TRUE(store.synced());
  EXPECT_THAT(store.NotAmong(claims, {"ns/b"}), ElementsAre("ns/a"));
  store.Need("", "v1", "services");
  EXPECT_FALSE(store.synced());
}

TEST_F(StoreTest, AnyThreadMayRevert) {
  int woken = 0;
  store.set_on_revert([&] { ++woken; });
  store.Set(claims, Claim("ns", "a", "1", 1));
  store.Assume(claims, "ns", "a", R"({"spec": {"size": 2}})");
  Changes();
  std::thread([this] { store.Revert(claims, "ns", "a"); }).join();
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(Size("a"), 2);  // not during a cycle
  EXPECT_THAT(Changes(), ElementsAre("ns/a:2->1"));
}

// Many objects with random changes, compared with a plain map.
TEST_F(StoreTest, AgreesWithAMap) {
  std::map<std::pair<std::string, std::string>, int> expected;
  uint64_t seed = 1;
  const auto below = [&](uint64_t n) {
    return seed = seed * 6364136223846793005u + 1442695040888963407u, (seed >> 33) % n;
  };
  for (int i = 0; i < 5000; ++i) {
    const std::string ns = "ns" + std::to_string(below(5)), name = "o" + std::to_string(below(60));
    if (below(4) == 0) {
      store.Gone(claims, ns + "/" + name);
      expected.erase({ns, name});
    } else {
      store.Set(claims, Claim(ns, name, std::to_string(i + 1), i));
      expected[{ns, name}] = i;
    }
    if (i % 100 == 0) Changes();
  }
  std::vector<std::string> keys;
  for (const auto& [key, size] : expected) {
    keys.push_back(key.first + "/" + key.second);
    ASSERT_NE(store.Get(claims, key.first, key.second), nullptr);
    EXPECT_EQ(store.Get(claims, key.first, key.second)->value.FindPath("spec.size")->integer(), size);
  }
  EXPECT_EQ(Keys(""), keys);
}

}  // namespace
}  // namespace berth::objects
