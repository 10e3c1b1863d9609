#include "scheduler/cache/count_checker.h"

#include "api/selectors.h"

namespace berth::cache {
namespace {

std::string RowName(const Cache& cache, uint32_t row) {
  const api::Node* node = cache.node(row);
  return node == nullptr ? "row " + std::to_string(row) : "node \"" + node->name + "\"";
}

std::string ValueText(const api::InternTables& intern, base::Id value) {
  return value == base::kNoId ? "no domain" : "\"" + std::string(intern.ids.Text(value)) + "\"";
}

base::Id ShownValue(const Domains& domains, uint32_t row) {
  const uint32_t ordinal = row < domains.of_row.size() ? domains.of_row[row] : BERTH_NO_DOMAIN;
  return ordinal < domains.values.size() ? domains.values[ordinal] : base::kNoId;
}

void CheckKey(const api::InternTables& intern, const Cache& cache, base::Id key, const Domains& domains,
              std::vector<std::string>& out) {
  const std::string title = "domains of \"" + std::string(intern.ids.Text(key)) + "\": ";
  if (domains.of_row.size() != cache.capacity()) out.push_back(title + "number of rows differs from the cache's");
  std::unordered_map<base::Id, uint32_t> n_rows;
  for (uint32_t row = 0; row < cache.capacity(); ++row) {
    const api::Node* node = cache.node(row);
    const base::Id have = ShownValue(domains, row);
    const base::Id want = node == nullptr ? base::kNoId : api::LabelValue(node->labels->abi, key);
    if (want != base::kNoId) ++n_rows[want];
    if (have != want) {
      out.push_back(title + RowName(cache, row) + " is in " + ValueText(intern, have) + ", recomputed " +
                    ValueText(intern, want));
    }
  }
  std::unordered_map<base::Id, uint32_t> ordinals;
  for (uint32_t i = 0; i < domains.values.size(); ++i) {
    const base::Id value = domains.values[i];
    if (!ordinals.emplace(value, i).second) out.push_back(title + ValueText(intern, value) + " has two ordinals");
    if (const uint32_t want = n_rows[value]; domains.n_rows[i] != want) {
      out.push_back(title + ValueText(intern, value) + " has " + std::to_string(domains.n_rows[i]) +
                    " nodes, recomputed " + std::to_string(want));
    }
  }
}

}  // namespace

void CheckDomains(const api::InternTables& intern, Cache& cache, std::vector<std::string>& out) {
  for (DomainIndex* index : {&cache.domains(), &cache.affinity_domains()}) {
    for (base::Id key : index->Keys()) CheckKey(intern, cache, key, index->Kept(cache, key), out);
  }
}

void CheckPodSets(const Cache& cache, std::vector<std::string>& out) {
  cache.pod_sets().ForEach([&](const berth_pod_set& set, const PodCounts& counts) {
    int64_t total = 0;
    for (uint32_t row = 0; row < cache.capacity(); ++row) {
      int32_t want = 0;
      for (const api::PodRef& pod : cache.pods(row)) {
        want += Contains(set, {pod->abi.ns, pod->abi.labels, pod->abi.deletion_unix_ns != BERTH_NO_TIME});
      }
      total += want;
      const int32_t have = row < counts.of_row.size() ? counts.of_row[row] : 0;
      if (have != want) {
        out.push_back("a set of pods: " + RowName(cache, row) + " has " + std::to_string(have) + ", recomputed " +
                      std::to_string(want));
      }
    }
    if (counts.total != total) {
      out.push_back("a set of pods: all nodes have " + std::to_string(counts.total) + ", recomputed " +
                    std::to_string(total));
    }
  });
}

}  // namespace berth::cache
