// Random clusters against the rules written down node by node and pod by pod, as upstream computes them.
#include <map>
#include <optional>
#include <random>

#include "test_fixture.h"

namespace network_overhead_test {
namespace {

struct Site {
  std::string region, zone;
};

class Model {
 public:
  explicit Model(uint32_t seed) : random_(seed) {
    for (int i = 0; i < 12; ++i) sites_["n" + std::to_string(i)] = {AnyOf(regions_), AnyOf(zones_)};
    for (int i = 0; i < 6; ++i) links_.push_back({"a", AnyOf({"a", "b", "c"}), Below(60)});
    for (int i = 0; i < 15; ++i) pods_.push_back({AnyOf({"a", "b", "c"}), "n" + std::to_string(Below(12))});
    for (const std::string& from : regions_) AddCosts(from, regions_, region_costs_);
    for (const std::string& from : zones_) AddCosts(from, zones_, zone_costs_);
  }

  void Build(Net& net) const {
    for (const auto& [name, site] : sites_) net.Node(NodeIn(name, site.region, site.zone));
    for (size_t i = 0; i < pods_.size(); ++i) net.Pod(Replica(pods_[i].first).Name(std::to_string(i)), pods_[i].second);
    net.Object(kAppGroups, GroupOf("basic", links_));
    net.Object(kTopologies, TopologyOf("nt-test", WeightsOf("UserDefined", region_costs_, zone_costs_)));
    net.Start();
  }

  void Check(Net& net) const {
    const Scores scores = net.ScoresOf(Replica("a").Name("new"));
    for (const auto& [node, site] : sites_) {
      int64_t cost = 0;
      int satisfied = 0, violated = 0;
      for (const auto& [workload, on] : pods_) {
        for (const Link& link : links_) {
          if (link.on == workload) Judge(node, on, link.max_cost, cost, satisfied, violated);
        }
      }
      EXPECT_EQ(scores.at(node), cost) << node;
      EXPECT_EQ(net.Filter(Replica("a").Name("new"), node),
                violated > satisfied ? TooExpensive(node, satisfied, violated) : Outcome{})
          << node;
    }
  }

 private:
  int64_t Below(int n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random_); }
  std::string AnyOf(const std::vector<std::string>& texts) {
    return texts[static_cast<size_t>(Below(static_cast<int>(texts.size())))];
  }
  void AddCosts(const std::string& from, const std::vector<std::string>& all, std::vector<Cost>& costs) {
    for (const std::string& to : all) {
      if (!from.empty() && Below(4) != 0) costs.push_back({from, to, Below(90)});
    }
  }

  static std::optional<int64_t> CostIn(const std::vector<Cost>& costs, const std::string& from, const std::string& to) {
    for (const Cost& one : costs) {
      if (one.from == from && one.to == to) return one.cost;
    }
    return std::nullopt;
  }
  void Judge(const std::string& node, const std::string& on, int64_t max, int64_t& cost, int& satisfied,
             int& violated) const {
    const Site &from = sites_.at(node), &to = sites_.at(on);
    if (node == on) {
      ++satisfied;
    } else if (to.region.empty() && to.zone.empty()) {
      ++violated, cost += 100;
    } else if (from.region == to.region && from.zone == to.zone) {
      ++satisfied, cost += 1;
    } else {
      const auto found = from.region == to.region ? CostIn(zone_costs_, from.zone, to.zone)
                                                  : CostIn(region_costs_, from.region, to.region);
      if (found) ++(*found <= max ? satisfied : violated);
      cost += found.value_or(100);
    }
  }

  std::mt19937 random_;
  const std::vector<std::string> regions_ = {"", "r1", "r2"}, zones_ = {"", "z1", "z2", "z3"};
  std::map<std::string, Site> sites_;
  std::vector<Link> links_;
  std::vector<std::pair<std::string, std::string>> pods_;  // workload and node
  std::vector<Cost> region_costs_, zone_costs_;
};

TEST(NetworkOverheadModel, AgreesOnRandomClusters) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Model model(seed);
    Net net;
    model.Build(net);
    model.Check(net);
  }
}

}  // namespace
}  // namespace network_overhead_test
