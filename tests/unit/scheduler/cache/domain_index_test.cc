#include "scheduler/cache/domain_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cache/checker.h"

namespace berth::cache {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class DomainIndexTest : public testing::Test {
 protected:
  void SetNode(const std::string& name, const std::string& labels) {
    cache_.SetNode(NodeText{.name = name, .labels = labels}.In(intern_));
  }
  // A node with only the label zone.
  void Put(const std::string& name, const std::string& zone) { SetNode(name, R"("zone":")" + zone + '"'); }
  const Domains& Zones() { return cache_.DomainsOf(zone_.get()); }
  uint32_t OrdinalOf(const std::string& node) {
    const base::OwnedId name(intern_.ids, node);
    return Zones().of_row[cache_.RowOf(name.get())];
  }
  // The text of a node's domain; "none" if it has none.
  std::string ZoneOf(const std::string& node) {
    const uint32_t ordinal = OrdinalOf(node);
    return ordinal == BERTH_NO_DOMAIN ? "none" : std::string(intern_.ids.Text(Zones().values[ordinal]));
  }
  uint32_t NodesIn(const std::string& node) { return Zones().n_rows[OrdinalOf(node)]; }
  void Sound() { EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty()); }

  api::InternTables intern_;
  base::OwnedId zone_{intern_.ids, "zone"};
  Cache cache_{intern_};
};

TEST_F(DomainIndexTest, NodesOfOneValueShareAnOrdinal) {
  Put("n1", "a");
  Put("n2", "b");
  Put("n3", "a");
  SetNode("n4", "");
  EXPECT_EQ(OrdinalOf("n1"), OrdinalOf("n3"));
  EXPECT_NE(OrdinalOf("n1"), OrdinalOf("n2"));
  EXPECT_EQ(OrdinalOf("n4"), BERTH_NO_DOMAIN);
  EXPECT_THAT(Zones().values, SizeIs(2));
  EXPECT_EQ(NodesIn("n1"), 2u);
  EXPECT_EQ(NodesIn("n2"), 1u);
  EXPECT_THAT(Zones().of_row, SizeIs(cache_.capacity()));
  Sound();
}

TEST_F(DomainIndexTest, AnEmptyValueIsAValue) {
  Put("n1", "");
  EXPECT_EQ(OrdinalOf("n1"), 0u);
  EXPECT_EQ(Zones().values[0], base::kEmptyId);
  Sound();
}

TEST_F(DomainIndexTest, AKeyThatNoNodeHasHasNoDomains) {
  Put("n1", "a");
  const base::OwnedId rack(intern_.ids, "rack");
  EXPECT_THAT(cache_.DomainsOf(rack.get()).values, IsEmpty());
  EXPECT_THAT(cache_.DomainsOf(rack.get()).of_row, Not(Contains(testing::Ne(BERTH_NO_DOMAIN))));
}

TEST_F(DomainIndexTest, FollowsLabelsThatChange) {
  Put("n1", "a");
  Put("n2", "a");
  const uint64_t numbering = Zones().numbering;
  Put("n2", "b");
  EXPECT_EQ(ZoneOf("n1"), "a");
  EXPECT_EQ(ZoneOf("n2"), "b");
  EXPECT_EQ(NodesIn("n1"), 1u);
  SetNode("n1", "");
  EXPECT_EQ(ZoneOf("n1"), "none");
  EXPECT_EQ(Zones().numbering, numbering) << "an ordinal keeps its meaning";
  Sound();
}

TEST_F(DomainIndexTest, AReturningDomainKeepsItsOrdinal) {
  Put("n1", "a");
  Put("n2", "b");
  const uint32_t b = OrdinalOf("n2");
  const uint64_t numbering = Zones().numbering;
  EXPECT_TRUE(cache_.RemoveNode("n2"));
  EXPECT_EQ(Zones().n_rows[b], 0u);
  Sound();
  Put("n3", "b");
  EXPECT_EQ(OrdinalOf("n3"), b);
  EXPECT_EQ(Zones().numbering, numbering);
  Sound();
}

TEST_F(DomainIndexTest, ARowUsedAgainIsInTheNewNodesDomain) {
  Put("n1", "a");
  EXPECT_EQ(ZoneOf("n1"), "a");
  EXPECT_TRUE(cache_.RemoveNode("n1"));
  SetNode("n2", "");  // takes the row
  EXPECT_EQ(ZoneOf("n2"), "none");
  EXPECT_TRUE(cache_.RemoveNode("n2"));
  Put("n3", "b");
  EXPECT_EQ(ZoneOf("n3"), "b");
  Sound();
}

TEST_F(DomainIndexTest, GrowsWithTheCache) {
  Put("n0", "a");
  EXPECT_EQ(ZoneOf("n0"), "a");
  for (int i = 1; i < 200; ++i) Put("n" + std::to_string(i), i % 2 == 0 ? "a" : "b");
  EXPECT_EQ(NodesIn("n0"), 100u);
  EXPECT_THAT(Zones().of_row, SizeIs(cache_.capacity()));
  Sound();
}

// For example hostnames, if nodes are added and removed.
TEST_F(DomainIndexTest, RemovedValuesDoNotAccumulate) {
  uint64_t numberings = 0, last = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "n" + std::to_string(i);
    Put(name, name);
    if (i >= 5) {
      EXPECT_TRUE(cache_.RemoveNode("n" + std::to_string(i - 5)));
    }
    numberings += Zones().numbering != last;
    last = Zones().numbering;
  }
  EXPECT_LT(Zones().values.size(), 200u);
  EXPECT_LT(numberings, 20u) << "the numbers change seldom";
  Sound();
}

TEST_F(DomainIndexTest, ADomainThatComesAndGoesChangesNoNumbers) {
  Put("n1", "a");
  const uint64_t numbering = Zones().numbering;
  for (int i = 0; i < 1000; ++i) {
    Put("n2", "b");
    EXPECT_EQ(ZoneOf("n2"), "b");
    EXPECT_TRUE(cache_.RemoveNode("n2"));
    EXPECT_EQ(Zones().values.size(), 2u);
  }
  EXPECT_EQ(Zones().numbering, numbering);
  Sound();
}

TEST_F(DomainIndexTest, OwnsItsIds) {
  Put("n1", "a");
  Zones();
  cache_.RemoveNode("n1");
  for (int i = 0; i < 3; ++i) intern_.ids.EndEpoch();
  EXPECT_EQ(intern_.ids.Text(Zones().values[0]), "a");
}

TEST_F(DomainIndexTest, ReadsAllRowsIfTheLogIsTooShort) {
  Put("n1", "a");
  Put("n2", "b");
  EXPECT_EQ(ZoneOf("n1"), "a");
  const api::NodeRef n1[] = {NodeText{.name = "n1", .labels = R"("zone":"a")"}.In(intern_),
                             NodeText{.name = "n1", .labels = R"("zone":"c")"}.In(intern_)};
  const api::NodeRef n2[] = {NodeText{.name = "n2", .labels = R"("zone":"b")"}.In(intern_),
                             NodeText{.name = "n2", .labels = R"("zone":"d")"}.In(intern_)};
  for (int i = 1; i < 40'000; ++i) {
    cache_.SetNode(n1[i % 2]);
    cache_.SetNode(n2[i % 2]);
  }
  EXPECT_EQ(ZoneOf("n1"), "c");
  EXPECT_EQ(ZoneOf("n2"), "d");
  Sound();
}

TEST_F(DomainIndexTest, KeepsTheKeysUsedLast) {
  Put("n1", "a");
  const uint64_t numbering = Zones().numbering;
  std::vector<base::OwnedId> keys;
  for (size_t i = 0; i < DomainIndex::kKeys; ++i) {
    cache_.BeginCycle();
    cache_.DomainsOf(keys.emplace_back(intern_.ids, "key-" + std::to_string(i)).get());
    if (i == 10) Zones();
  }
  EXPECT_THAT(cache_.domains().Keys(), SizeIs(DomainIndex::kKeys));
  EXPECT_THAT(cache_.domains().Keys(), Contains(zone_.get()));
  EXPECT_THAT(cache_.domains().Keys(), Not(Contains(keys[0].get())));
  EXPECT_EQ(Zones().numbering, numbering);
  for (const base::OwnedId& key : keys) {
    cache_.BeginCycle();
    cache_.DomainsOf(key.get());
  }
  EXPECT_THAT(cache_.domains().Keys(), Not(Contains(zone_.get())));
  EXPECT_NE(Zones().numbering, numbering) << "a plugin that remembers the old numbers must notice";
  Sound();
}

TEST_F(DomainIndexTest, KeepsEntriesOfTheCurrentCycle) {
  Put("n1", "a");
  cache_.BeginCycle();
  const Domains& zones = Zones();
  const uint32_t* of_row = zones.of_row.data();
  std::vector<base::OwnedId> keys;
  for (size_t i = 0; i < 2 * DomainIndex::kKeys; ++i) {
    cache_.DomainsOf(keys.emplace_back(intern_.ids, "key-" + std::to_string(i)).get());
  }
  EXPECT_EQ(Zones().of_row.data(), of_row);
  cache_.BeginCycle();
  cache_.DomainsOf(keys.emplace_back(intern_.ids, "one more").get());
  EXPECT_THAT(cache_.domains().Keys(), SizeIs(DomainIndex::kKeys));
}

// A pod may name thousands of keys that no node has.
TEST_F(DomainIndexTest, FreesEntriesBeyondTheLimitInTheNextCycle) {
  Put("n1", "a");
  cache_.BeginCycle();
  std::vector<base::OwnedId> keys;
  for (size_t i = 0; i < 10 * DomainIndex::kKeys; ++i) {
    cache_.DomainsOf(keys.emplace_back(intern_.ids, "key-" + std::to_string(i)).get());
  }
  Zones();
  cache_.BeginCycle();
  EXPECT_THAT(cache_.domains().Keys(), SizeIs(DomainIndex::kKeys));
  EXPECT_THAT(cache_.domains().Keys(), Contains(zone_.get())) << "used last";
  EXPECT_THAT(cache_.domains().Keys(), Not(Contains(keys[0].get())));
  EXPECT_EQ(ZoneOf("n1"), "a");
  Sound();
}

TEST_F(DomainIndexTest, TheCheckerSeesAWrongDomain) {
  Put("n1", "a");
  Put("n2", "b");
  auto& zones = const_cast<Domains&>(Zones());
  std::swap(zones.values[0], zones.values[1]);
  EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_),
              Contains(HasSubstr(R"(domains of "zone": node "n1" is in "b", recomputed "a")")));
  std::swap(zones.values[0], zones.values[1]);
  ++zones.n_rows[0];
  EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), Contains(HasSubstr("has 2 nodes, recomputed 1")));
}

}  // namespace
}  // namespace berth::cache
