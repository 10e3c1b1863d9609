// Compares the plugin with a plain implementation on random clusters, pods, and trials. The plain one uses maps by
// value and one node at a time, like upstream's filtering.go and scoring.go. It finds errors in the array loops and
// their shortcuts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "spreading.h"

namespace {

using namespace spreading;  // NOLINT: the names are made for this

struct PlainPod {
  std::string ns = "default", node;
  std::map<std::string, std::string> labels;
  bool terminating = false;
};
struct PlainNode {
  std::string name;
  std::map<std::string, std::string> labels;
  bool tainted = false;
};

bool Selects(const Own& own, const PlainPod& waiting, const PlainPod& pod) {
  if (own.selector.nil) return false;
  for (const FakeRequirement& one : own.selector.expressions) {
    if (!pod.labels.contains(one.key)) return false;  // the tests' selectors only use Exists
  }
  for (const std::string& key : own.match_label_keys) {
    const auto mine = waiting.labels.find(key), its = pod.labels.find(key);
    if (mine != waiting.labels.end() && (its == pod.labels.end() || its->second != mine->second)) return false;
  }
  return true;
}
bool SelectsAll(const Own& own, const PlainPod& waiting) {
  if (own.selector.nil || !own.selector.expressions.empty()) return false;
  for (const std::string& key : own.match_label_keys) {
    if (waiting.labels.contains(key)) return false;
  }
  return true;
}

class World {
 public:
  explicit World(uint32_t seed) : random_(seed) {
    const int zones = Below(5) == 0 ? 90 : 1 + Below(5), n = zones > 10 ? 120 : 2 + Below(25);
    for (int i = 0; i < n; ++i) {
      PlainNode& node = nodes_.emplace_back();
      node.name = "n" + std::to_string(i);
      if (Below(12) != 0) node.labels["zone"] = Below(9) == 0 ? "" : "z" + std::to_string(Below(zones));
      if (Below(15) != 0) node.labels[kHost] = node.name;
      if (Below(3) != 0) node.labels["disk"] = "ssd";
      node.tainted = Below(6) == 0;
    }
    for (int i = Below(3 * n); i > 0; --i) AddPod();
    waiting_.labels = Labels();
    selects_disk_ = Below(3) == 0;
    tolerates_ = Below(4) == 0;
    for (int i = 1 + Below(3); i > 0; --i) own_.push_back(RandomOwn());
  }

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  const std::vector<PlainNode>& nodes() const { return nodes_; }
  const std::vector<PlainPod>& pods() const { return pods_; }

  void Fill(FakeCluster& cluster) const {
    for (const PlainNode& node : nodes_) {
      FakeNode fake(node.name);
      for (const auto& [key, value] : node.labels) fake.Label(key, value);
      if (node.tainted) fake.Taint(kTaint, "NoSchedule");
      cluster.Add(fake);
    }
    for (size_t i = 0; i < pods_.size(); ++i) cluster.Add(Fake(pods_[i], "on-" + std::to_string(i)), pods_[i].node);
  }
  static FakePod Fake(const PlainPod& pod, const std::string& name) {
    FakePod fake(name);
    fake.Namespace(pod.ns);
    for (const auto& [key, value] : pod.labels) fake.Label(key, value);
    return pod.terminating ? fake.Terminating() : fake;
  }
  FakePod Waiting() const {
    FakePod pod = Fake(waiting_, "waiting");
    if (selects_disk_) pod.NodeSelector("disk", "ssd");
    if (tolerates_) pod.Toleration(kTaint);
    for (const Own& own : own_) pod.Spread(own);
    return pod;
  }
  PlainPod RandomPod(const std::string& node) {
    return {.ns = Below(6) == 0 ? "other" : "default", .node = node, .labels = Labels(), .terminating = Below(8) == 0};
  }

  // The verdict for a node after a trial has added and removed these pods.
  char Verdict(const PlainNode& node, const std::vector<std::pair<PlainPod, int>>& changes) const {
    const std::vector<Own> hard = Of("DoNotSchedule");
    for (const Own& own : hard) {
      std::map<std::string, int> counts = Counts(hard, own);
      for (const auto& [pod, by] : changes) {
        if (pod.ns == waiting_.ns && HasAll(node, hard) && Included(node, own) && Selects(own, waiting_, pod)) {
          counts[node.labels.at(own.key)] += by;
        }
      }
      if (!node.labels.contains(own.key)) return '!';
      int least = 1 << 30;
      for (const auto& [value, count] : counts) least = std::min(least, count);
      if (static_cast<int>(counts.size()) < own.min_domains) least = 0;
      if (counts[node.labels.at(own.key)] + (Selects(own, waiting_, waiting_) ? 1 : 0) - least > own.max_skew)
        return '-';
    }
    return '+';
  }

  // The raw scores of the feasible nodes, and the ignored nodes.
  Scores Raw(const std::vector<PlainNode>& feasible, std::map<std::string, bool>& ignored) const {
    const std::vector<Own> soft = Of("ScheduleAnyway");
    size_t scored = 0;
    for (const PlainNode& node : feasible) ignored[node.name] = !HasAll(node, soft), scored += HasAll(node, soft);
    std::map<std::string, double> sums;
    for (const Own& own : soft) {
      const bool host = own.key == kHost;
      std::map<std::string, int> buckets;
      for (const PlainNode& node : feasible) {
        if (!ignored[node.name]) buckets[node.labels.at(own.key)] = 0;
      }
      for (const auto& [value, count] : Counts(soft, own)) {
        if (buckets.contains(value)) buckets[value] = count;
      }
      const double weight = std::log(static_cast<double>((host ? scored : buckets.size()) + 2));
      for (const PlainNode& node : feasible) {
        if (ignored[node.name]) continue;
        const int count = host ? PodsOn(node, own) : buckets[node.labels.at(own.key)];
        sums[node.name] += count * weight + (own.max_skew - 1);
      }
    }
    Scores scores;
    for (const PlainNode& node : feasible) scores[node.name] = std::llround(sums[node.name]);
    return scores;
  }
  static Scores Normalize(Scores scores, std::map<std::string, bool>& ignored) {
    int64_t least = 1 << 30, most = 0;
    for (const auto& [node, score] : scores) {
      if (!ignored[node]) least = std::min(least, score), most = std::max(most, score);
    }
    for (auto& [node, score] : scores)
      score = ignored[node] ? 0 : most == 0 ? 100 : 100 * (most + least - score) / most;
    return scores;
  }

 private:
  std::map<std::string, std::string> Labels() {
    std::map<std::string, std::string> labels;
    if (Below(3) != 0) labels["foo"] = std::to_string(Below(2));
    if (Below(3) == 0) labels["bar"] = "";
    return labels;
  }
  void AddPod() {
    pods_.push_back(RandomPod(nodes_[static_cast<size_t>(Below(static_cast<int>(nodes_.size())))].name));
  }
  Own RandomOwn() {
    const FakeSelector selectors[] = {kFoo, kFoo, kFoo, kBar, kNil, kEverything};
    const FakeSelector& selector = selectors[Below(6)];
    const std::string key = Below(2) == 0 ? "zone" : kHost;
    Own own = Below(2) == 0 ? Hard(1 + Below(3), key, selector) : Soft(1 + Below(3), key, selector);
    if (Below(4) == 0) own.min_domains = 1 + Below(8);
    if (Below(3) == 0) own.node_affinity_policy = Below(2) == 0 ? "Honor" : "Ignore";
    if (Below(3) == 0) own.node_taints_policy = Below(2) == 0 ? "Honor" : "Ignore";
    if (Below(4) == 0) own.match_label_keys = {"foo", "gone"};
    return own;
  }
  std::vector<Own> Of(const std::string& when) const {
    std::vector<Own> of;
    for (const Own& own : own_) {
      if (own.when == when) of.push_back(own);
    }
    return of;
  }
  static bool HasAll(const PlainNode& node, const std::vector<Own>& all) {
    return std::all_of(all.begin(), all.end(), [&](const Own& own) { return node.labels.contains(own.key); });
  }
  bool Included(const PlainNode& node, const Own& own) const {
    if (own.node_affinity_policy != "Ignore" && selects_disk_ && !node.labels.contains("disk")) return false;
    return own.node_taints_policy != "Honor" || tolerates_ || !node.tainted;
  }
  int PodsOn(const PlainNode& node, const Own& own) const {
    if (SelectsAll(own, waiting_)) return 0;
    return static_cast<int>(std::count_if(pods_.begin(), pods_.end(), [&](const PlainPod& pod) {
      return pod.node == node.name && pod.ns == waiting_.ns && !pod.terminating && Selects(own, waiting_, pod);
    }));
  }
  std::map<std::string, int> Counts(const std::vector<Own>& all, const Own& own) const {
    std::map<std::string, int> counts;
    for (const PlainNode& node : nodes_) {
      if (!HasAll(node, all) || !Included(node, own)) continue;
      counts[node.labels.at(own.key)] += PodsOn(node, own);
    }
    return counts;
  }

  std::mt19937 random_;
  std::vector<PlainNode> nodes_;
  std::vector<PlainPod> pods_;
  PlainPod waiting_;
  bool selects_disk_ = false, tolerates_ = false;
  std::vector<Own> own_;
};

void CheckFilter(World& world, Plugin& plugin) {
  auto attempt = plugin.Try(world.Waiting());
  if (attempt->PreFilter().code == BERTH_SKIP) return;
  for (const auto& [node, outcome] : attempt->Filter().nodes) {
    const auto at =
        std::find_if(world.nodes().begin(), world.nodes().end(), [&](const auto& n) { return n.name == node; });
    EXPECT_EQ(outcome, Reject(world.Verdict(*at, {}))) << node;
  }
  for (int i = 0; i < 4; ++i) {
    const PlainNode& node = world.nodes()[static_cast<size_t>(world.Below(static_cast<int>(world.nodes().size())))];
    std::vector<std::pair<PlainPod, int>> changes;
    auto trial = attempt->Trial();
    for (size_t p = 0; p < world.pods().size(); ++p) {
      if (world.pods()[p].node != node.name || world.Below(2) == 0) continue;
      changes.emplace_back(world.pods()[p], -1);
      EXPECT_TRUE(trial->RemovePod(World::Fake(world.pods()[p], "on-" + std::to_string(p)), node.name).ok());
    }
    for (int k = world.Below(3); k > 0; --k) {
      changes.emplace_back(world.RandomPod(node.name), 1);
      EXPECT_TRUE(trial->AddPod(World::Fake(changes.back().first, "new-" + std::to_string(k)), node.name).ok());
    }
    EXPECT_EQ(trial->Filter({node.name}).nodes.at(node.name), Reject(world.Verdict(node, changes))) << node.name;
  }
}

void CheckScore(World& world, Plugin& plugin) {
  std::vector<PlainNode> feasible;
  Texts names;
  const bool all = world.Below(3) == 0;
  for (const PlainNode& node : world.nodes()) {
    if (!all && world.Below(3) == 0) continue;
    feasible.push_back(node);
    names.push_back(node.name);
  }
  if (names.empty()) return;
  auto attempt = plugin.Try(world.Waiting());
  if (attempt->PreScore(names).code == BERTH_SKIP) return;
  std::map<std::string, bool> ignored;
  const Scores want = world.Raw(feasible, ignored);
  const Scores scores = attempt->Score(names).nodes, normalized = World::Normalize(want, ignored);
  // With a score for each pair of zone and number of pods, the scores are normalized at once.
  if (scores != want) {
    EXPECT_EQ(scores, normalized);
  }
  EXPECT_EQ(attempt->Normalize(scores).nodes, normalized);
}

TEST(PodTopologySpread, RandomClusters) {
  for (uint32_t seed = 0; seed < 100 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    World world(seed);
    Plugin plugin("", "");
    world.Fill(plugin.cluster());
    ASSERT_TRUE(plugin.Start().ok());
    CheckFilter(world, plugin);
    CheckScore(world, plugin);
  }
}

}  // namespace
