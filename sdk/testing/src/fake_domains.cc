#include "berth/testing/fake_domains.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::sdk::testing {

berth_domains ComputeDomains(const FakeCluster& cluster, Id key, Arena& arena) {
  std::vector<uint32_t> of_row(cluster.rows().size(), BERTH_NO_DOMAIN), n_rows;
  std::vector<berth_id> values;
  for (const uint32_t row : cluster.LiveRows()) {
    const Id value = Labels(cluster.rows()[row].node->node.labels).Get(key);
    if (value == kNoId) continue;
    if (values.empty()) values.push_back(IdOf("a-domain-without-nodes")), n_rows.push_back(0);
    const auto at = std::find(values.begin(), values.end(), value);
    of_row[row] = static_cast<uint32_t>(at - values.begin());
    if (at == values.end()) values.push_back(value), n_rows.push_back(0);
    ++n_rows[of_row[row]];
  }
  const auto cells = [&arena](const auto& items) { return arena.Exact(items).ptr; };
  return {sizeof(berth_domains),
          static_cast<uint32_t>(values.size()),
          static_cast<const uint32_t*>(cells(of_row)),
          static_cast<const berth_id*>(cells(values)),
          static_cast<const uint32_t*>(cells(n_rows)),
          ContentOf("numbering", std::to_string(key) + BytesOf(values))};  // equal numbers if and only if equal meaning
}

}  // namespace berth::sdk::testing
