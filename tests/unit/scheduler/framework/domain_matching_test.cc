#include "scheduler/framework/domain_matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "api/node.h"
#include "api/pod.h"
#include "scheduler/framework/row_matching.h"

namespace berth::framework {
namespace {

constexpr uint32_t kNodes = 300;

class DomainMatchingTest : public testing::Test {
 protected:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  std::string Key() { return "key-" + std::to_string(Below(5)); }
  std::string Number() { return std::to_string(Below(7)); }

  void AddNodes() {
    for (uint32_t i = 0; i < kNodes; ++i) {
      std::string labels = R"("name":"n)" + std::to_string(i) + '"';
      for (uint32_t key = 0; key < 5; ++key) {
        if (Below(4) != 0) labels += R"(,"key-)" + std::to_string(key) + R"(":")" + Number() + '"';
      }
      Set("n" + std::to_string(i), labels);
    }
  }
  void Set(const std::string& name, const std::string& labels) {
    const auto node = api::DecodeNode(intern_, R"({"metadata":{"name":")" + name + R"(","labels":{)" + labels + "}}}");
    ASSERT_TRUE(node) << node.error().message;
    cache_.SetNode(*node);
  }
  // Some rows lose their nodes, and some nodes change.
  void Disturb() {
    for (int i = 0; i < 10; ++i) {
      const std::string name = "n" + std::to_string(Below(kNodes));
      if (Below(2) == 0) {
        cache_.RemoveNode(name);
      } else {
        Set(name, '"' + Key() + R"(":")" + Number() + '"');
      }
    }
  }

  std::string Requirement() {
    static const char* const kOps[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Wrong"};
    const uint32_t op = Below(40) == 0 ? 6 : Below(6);
    std::string values;
    const uint32_t n = op < 2 ? 1 + Below(7) : op >= 4 ? 1 : 0;
    for (uint32_t i = 0; i < n; ++i) values += (i == 0 ? "\"" : ",\"") + Number() + '"';
    return R"({"key":")" + Key() + R"(","operator":")" + kOps[op] + R"(","values":[)" + values + "]}";
  }
  std::string Term() {
    std::string expressions;
    const uint32_t n = Below(4);
    for (uint32_t i = 0; i < n; ++i) expressions += (i == 0 ? "" : ",") + Requirement();
    return R"({"matchExpressions":[)" + expressions + "]}";
  }
  api::PodRef Pod() {
    std::string selector, required, preferred;
    if (Below(3) == 0) selector = '"' + Key() + R"(":")" + Number() + '"';
    const uint32_t n = Below(3);
    for (uint32_t i = 0; i < n; ++i) required += (i == 0 ? "" : ",") + Term();
    if (n != 0) {
      required = R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)" + required + "]},";
    }
    preferred = R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":)" + Term() + "}]";
    return Decoded(R"("nodeSelector":{)" + selector + R"(},"affinity":{"nodeAffinity":{)" + required + preferred +
                   "}}");
  }
  api::PodRef Decoded(const std::string& spec) {
    const auto pod = api::DecodePod(intern_, R"({"metadata":{"name":"p","namespace":"ns"},"spec":{)" + spec + "}}");
    EXPECT_TRUE(pod) << pod.error().message;
    return *pod;
  }

  template <class Matches>
  std::vector<uint64_t> ByLabels(const berth_rows& rows, const Matches& matches) {
    std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n));
    for (uint32_t i = 0; i < rows.n; ++i) {
      const uint32_t row = rows.rows != nullptr ? rows.rows[i] : rows.first + i;
      const api::Node* node = row < cache_.capacity() ? cache_.node(row) : nullptr;
      if (node != nullptr && matches({&node->labels->abi, node->abi.name})) out[i / 64] |= uint64_t{1} << i % 64;
    }
    return out;
  }
  void ExpectTheSameByRows(const berth_node_affinity& affinity, const berth_rows& rows) {
    std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n), ~uint64_t{0});
    RowMatching(cache_, rows).Required(affinity, out.data());
    EXPECT_EQ(out, ByLabels(rows, [&](const api::NodeFacts& n) { return RequiredMatches(intern_, affinity, n); }));
  }
  // A short list is matched only by keys that the cache keeps already.
  void ExpectTheSame(const api::Pod& pod, const berth_rows& rows) {
    for (int key = 0; key < 5; ++key) {
      cache_.affinity_domains().Of(cache_, base::OwnedId(intern_.ids, "key-" + std::to_string(key)).get());
    }
    const berth_node_affinity& affinity = *pod.abi.node_affinity;
    std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n), ~uint64_t{0});
    ExpectTheSameByRows(affinity, rows);
    ASSERT_TRUE(DomainMatching(cache_, rows).Required(affinity, out.data()));
    EXPECT_EQ(out, ByLabels(rows, [&](const api::NodeFacts& n) { return RequiredMatches(intern_, affinity, n); }));
    const api::NodeTermMatcher term(intern_, BERTH_AT(affinity.preferred, berth_preferred_term, 0)->term);
    ASSERT_TRUE(DomainMatching(cache_, rows).Term(term, out.data()));
    const auto by_labels = ByLabels(rows, [&](const api::NodeFacts& n) { return term.Matches(n); });
    EXPECT_EQ(out, by_labels);
    std::fill(out.begin(), out.end(), ~uint64_t{0});
    RowMatching(cache_, rows).Term(term, out.data());
    EXPECT_EQ(out, by_labels);
  }
  // All rows, a range that no word begins with, and a list, of which a row may be beyond the capacity.
  void ExpectTheSameForAnyRows(const api::Pod& pod) {
    berth_rows rows{};
    rows.n = cache_.capacity() - Below(70);
    ExpectTheSame(pod, rows);
    rows.first = 1 + Below(100);
    rows.n = 1 + Below(cache_.capacity() - rows.first);
    ExpectTheSame(pod, rows);
    std::vector<uint32_t> list(1 + Below(200));
    for (uint32_t& row : list) row = Below(cache_.capacity() + 2);
    rows.first = 0;
    rows.n = static_cast<uint32_t>(list.size());
    rows.rows = list.data();
    ExpectTheSame(pod, rows);
  }

  std::mt19937_64 random_{17};
  api::InternTables intern_;
  cache::Cache cache_{intern_};
};

TEST_F(DomainMatchingTest, MatchesTheNodesThatTheirLabelsMatch) {
  AddNodes();
  for (int i = 0; i < 1000; ++i) {
    if (i % 10 == 0) Disturb();
    cache_.BeginCycle();
    ExpectTheSameForAnyRows(*Pod());
    if (HasFailure()) FAIL() << "in round " << i;
  }
}

TEST_F(DomainMatchingTest, LeavesFieldsToTheCaller) {
  AddNodes();
  const auto pod = Decoded(
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[)"
      R"({"key":"metadata.name","operator":"In","values":["n1"]}]}]}}})");
  berth_rows rows{};
  rows.n = kNodes;
  std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n));
  EXPECT_FALSE(DomainMatching(cache_, rows).Required(*pod->abi.node_affinity, out.data()));
}

TEST_F(DomainMatchingTest, TermsWithFieldsAreMatchedRowByRow) {
  AddNodes();
  const auto pod = Decoded(
      R"("nodeSelector":{"key-1":"1"},"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{)"
      R"("nodeSelectorTerms":[{},{"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n1"]}],)"
      R"("matchExpressions":[{"key":"key-2","operator":"Gt","values":["3"]}]},)"
      R"({"matchExpressions":[{"key":"key-2","operator":"In","values":["1"]}]}]}}})");
  berth_rows rows{};
  rows.n = kNodes;
  ExpectTheSameByRows(*pod->abi.node_affinity, rows);
}

TEST_F(DomainMatchingTest, ATermWithErrorsMatchesNothingWhateverItsFields) {
  AddNodes();
  const auto pod =
      Decoded(R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{)"
              R"("matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}],)"
              R"("matchExpressions":[{"key":"key-1","operator":"Wrong"}]}]}}})");
  berth_rows rows{};
  rows.n = kNodes;
  std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n), ~uint64_t{0});
  ASSERT_TRUE(DomainMatching(cache_, rows).Required(*pod->abi.node_affinity, out.data()));
  EXPECT_EQ(out, std::vector<uint64_t>(out.size()));
}

// Otherwise one pod could make the cache number as many keys as it names.
TEST_F(DomainMatchingTest, UsesNoMoreKeysInACycleThanTheCacheKeeps) {
  AddNodes();
  std::string expressions;
  for (size_t i = 0; i <= cache::DomainIndex::kKeys; ++i) {
    expressions += (i == 0 ? "" : ",") + (R"({"key":"k)" + std::to_string(i)) + R"(","operator":"DoesNotExist"})";
  }
  const auto pod = Decoded(
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[)" +
      expressions + "]}]}}}");
  berth_rows rows{};
  rows.n = kNodes;
  std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n));
  cache_.BeginCycle();
  EXPECT_FALSE(DomainMatching(cache_, rows).Required(*pod->abi.node_affinity, out.data()));
  EXPECT_EQ(cache_.affinity_domains().Keys().size(), cache::DomainIndex::kKeys);
}

TEST_F(DomainMatchingTest, DoesNotNumberAllNodesForAFewRows) {
  AddNodes();
  const auto pod = Decoded(R"("nodeSelector":{"key-1":"1"})");
  berth_rows rows{};
  rows.n = kNodes / 4 - 1;
  std::vector<uint64_t> out(base::Bitmap::WordsFor(rows.n));
  EXPECT_FALSE(DomainMatching(cache_, rows).Required(*pod->abi.node_affinity, out.data()));
  EXPECT_TRUE(cache_.affinity_domains().Keys().empty());
}

}  // namespace
}  // namespace berth::framework
