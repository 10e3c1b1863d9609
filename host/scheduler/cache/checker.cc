#include "scheduler/cache/checker.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "scheduler/cache/count_checker.h"

namespace berth::cache {
namespace {

using Differences = std::vector<std::string>;

template <class T>
T Cell(const berth_column& c, uint32_t row) {
  return static_cast<const T*>(c.cells)[row];
}

std::string CellText(const Cache& cache, uint32_t what, base::Id key, uint32_t row) {
  berth_column c{sizeof c, 0, 0, 0, nullptr};
  if (!cache.FindColumn(what, key, &c)) return "0";
  switch (c.type) {
    case BERTH_COLUMN_I64: return std::to_string(Cell<int64_t>(c, row));
    case BERTH_COLUMN_F64: return std::to_string(static_cast<int64_t>(Cell<double>(c, row)));
    case BERTH_COLUMN_U8: return std::to_string(Cell<uint8_t>(c, row));
    default: return std::to_string(Cell<uint32_t>(c, row));
  }
}

// The numbers of sets may differ between caches, but their members may not.
std::string TaintsText(const Cache& cache, uint32_t row) {
  berth_column c{sizeof c, 0, 0, 0, nullptr};
  cache.FindColumn(BERTH_NODE_TAINTS, 0, &c);
  const berth_list items = cache.TaintsOfSet(Cell<uint32_t>(c, row));
  std::string out;
  for (uint32_t i = 0; i < items.n; ++i) {
    const berth_taint& t = *BERTH_AT(items, berth_taint, i);
    out += std::to_string(t.key) + "=" + std::to_string(t.value) + ":" + std::to_string(t.effect) + ",";
  }
  return out;
}

std::multiset<std::tuple<base::Id, base::Id, int32_t>> PortsOf(const Cache& cache, uint32_t row) {
  std::multiset<std::tuple<base::Id, base::Id, int32_t>> out;
  for (const berth_host_port& p : cache.used_ports(row)) out.emplace(p.ip, p.protocol, p.port);
  return out;
}

std::set<const berth_pod*> PodsOf(const Cache& cache, uint32_t row) {
  return {cache.pod_views(row).begin(), cache.pod_views(row).end()};
}

void CompareRow(const Cache& have, uint32_t h, const Cache& want, uint32_t w, const std::set<base::Id>& resources,
                api::InternTables& intern, Differences& out) {
  const std::string node = "node \"" + want.node(w)->name + "\": ";
  auto compare = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) out.push_back(node + what + " is " + a + ", recomputed " + b);
  };
  struct Plain {
    uint32_t what;
    const char* title;
  };
  for (const Plain& p : {Plain{BERTH_NODE_NAME, "name"}, Plain{BERTH_NODE_UNSCHEDULABLE, "unschedulable"},
                         Plain{BERTH_NODE_POD_COUNT, "pod count"}}) {
    compare(p.title, CellText(have, p.what, 0, h), CellText(want, p.what, 0, w));
  }
  for (base::Id r : resources) {
    for (const Plain& p :
         {Plain{BERTH_NODE_ALLOCATABLE, "allocatable "}, Plain{BERTH_NODE_ALLOCATABLE_F64, "allocatable f64 "},
          Plain{BERTH_NODE_REQUESTED, "requested "}, Plain{BERTH_NODE_REQUESTED_F64, "requested f64 "},
          Plain{BERTH_NODE_NONZERO_REQUESTED, "non-zero requested "},
          Plain{BERTH_NODE_NONZERO_REQUESTED_F64, "non-zero requested f64 "}}) {
      compare((p.title + std::string(intern.ids.Text(r))).c_str(), CellText(have, p.what, r, h),
              CellText(want, p.what, r, w));
    }
  }
  compare("taint set", TaintsText(have, h), TaintsText(want, w));
  if (PortsOf(have, h) != PortsOf(want, w)) out.push_back(node + "used ports differ from recomputed ones");
  if (PodsOf(have, h) != PodsOf(want, w)) out.push_back(node + "list of pods differs from recomputed one");
}

using UnofferedSums = std::map<std::pair<std::string_view, std::string>, int64_t>;

// By resource and node.
UnofferedSums UnofferedSumsOf(const Cache& cache, const api::InternTables& intern) {
  UnofferedSums sums;
  cache.unoffered().ForEach([&](base::Id name, const UnofferedRequests::RowSum& at) {
    const api::Node* node = cache.node(at.row);
    sums[{intern.ids.Text(name), node == nullptr ? "row " + std::to_string(at.row) : node->name}] = at.sum;
  });
  return sums;
}

void CompareUnoffered(const UnofferedSums& have, const UnofferedSums& want, Differences& out) {
  const auto in = [](const UnofferedSums& sums, const UnofferedSums::key_type& key) {
    const auto at = sums.find(key);
    return at == sums.end() ? 0 : at->second;
  };
  UnofferedSums all = want;
  all.insert(have.begin(), have.end());
  for (const auto& [key, sum] : all) {
    const int64_t a = in(have, key), b = in(want, key);
    if (a != b) {
      out.push_back("node \"" + key.second + "\": requested " + std::string(key.first) + " is " + std::to_string(a) +
                    ", recomputed " + std::to_string(b));
    }
  }
}

std::vector<std::string> OrderNames(Cache& cache) {
  std::vector<std::string> out;
  for (uint32_t row : cache.order()) out.push_back(cache.node(row)->name);
  std::sort(out.begin(), out.end());  // the order depends on the history of the cache
  return out;
}

void CompareImages(Cache& have, Cache& want, api::InternTables& intern, Differences& out) {
  auto names = [](Cache& cache, base::Id image) {
    std::set<std::string> nodes;
    if (const ImageState* s = cache.images().Find(image)) {
      s->rows.ForEach([&](uint32_t row) { nodes.insert(cache.node(row)->name); });
    }
    return nodes;
  };
  if (have.images().states().size() != want.images().states().size()) out.push_back("number of known images differs");
  for (const auto& [image, state] : want.images().states()) {
    if (names(have, image) != names(want, image)) {
      out.push_back("image \"" + std::string(intern.ids.Text(image)) + "\": nodes differ from recomputed ones");
    }
  }
}

}  // namespace

std::vector<std::string> CheckAgainstRebuilt(api::InternTables& intern, Cache& cache) {
  Differences out;
  Cache rebuilt(intern);
  std::set<base::Id> resources{intern.cpu, intern.memory, intern.ephemeral_storage, intern.pods};
  for (const api::NodeRef& node : cache.AllNodes()) {
    rebuilt.SetNode(node);
    for (const berth_amount& a : node->allocatable) resources.insert(a.name);
  }
  for (const auto& [pod, assumed] : cache.AllPods()) {
    const base::Result<void> done = assumed ? rebuilt.Assume(pod) : rebuilt.AddPod(pod);
    if (!done) out.push_back("rebuilding: " + done.error().message);
  }
  if (OrderNames(cache) != OrderNames(rebuilt)) out.push_back("the list of nodes differs from the recomputed one");
  if (cache.n_assumed() != rebuilt.n_assumed()) out.push_back("number of assumed pods differs");
  rebuilt.live().ForEach([&](uint32_t w) {
    const uint32_t h = cache.RowOf(rebuilt.node(w)->abi.name);
    if (h == kNoRow) {
      out.push_back("node \"" + rebuilt.node(w)->name + "\" has no row");
    } else {
      CompareRow(cache, h, rebuilt, w, resources, intern, out);
    }
  });
  CompareUnoffered(UnofferedSumsOf(cache, intern), UnofferedSumsOf(rebuilt, intern), out);
  CompareImages(cache, rebuilt, intern, out);
  CheckDomains(intern, cache, out);
  CheckPodSets(cache, out);
  return out;
}

}  // namespace berth::cache
