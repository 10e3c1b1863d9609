#include "cluster/daemon/resource_metrics.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "api/exact_requests.h"
#include "api/resources.h"
#include "telemetry/metrics/text_format.h"

namespace berth::daemon {
namespace {

using Amounts = std::map<std::string_view, double>;  // by resource, in its unit

double InUnits(const base::Quantity& quantity) {
  if (quantity.IsWholeUnits()) return static_cast<double>(quantity.Value());
  return static_cast<double>(quantity.MilliValue()) / 1000;
}

class PodAmounts {
 public:
  PodAmounts(const api::InternTables& intern, const api::Pod& pod) : intern_(intern), block_(pod.resources()) {}

  Amounts Requests() const {
    Amounts amounts;
    for (const auto& [name, quantity] : api::ExactRequests(intern_, block_, {})) {
      amounts[intern_.ids.Text(name)] = InUnits(quantity);
    }
    return amounts;
  }

  // Source: PodLimits in k8s.io/component-helpers/resource/helpers.go.
  Amounts Limits() const {
    Amounts limits = ContainerLimits();
    for (const auto& [name, value] : Read(block_.abi.pod_limits)) {
      if (PodLevelSupports(name)) limits[name] = value;
    }
    for (const auto& [name, quantity] : block_.overhead) {
      const auto limit = limits.find(intern_.ids.Text(name));
      if (limit != limits.end() && limit->second != 0) limit->second += InUnits(quantity);
    }
    return limits;
  }

 private:
  static bool PodLevelSupports(std::string_view name) {
    return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
  }

  Amounts Read(const berth_list& list) const {
    Amounts amounts;
    for (uint32_t i = 0; i < list.n; ++i) {
      const berth_amount& amount = *BERTH_AT(list, berth_amount, i);
      const double value = static_cast<double>(amount.value);
      amounts[intern_.ids.Text(amount.name)] = amount.name == intern_.cpu ? value / 1000 : value;
    }
    return amounts;
  }

  static void Add(Amounts& sum, const Amounts& more) {
    for (const auto& [name, value] : more) sum[name] += value;
  }
  static void Raise(Amounts& to, const Amounts& other) {
    for (const auto& [name, value] : other) to[name] = std::max(to[name], value);
  }

  // App containers and sidecars run together. An init container runs with the sidecars declared before it.
  Amounts ContainerLimits() const {
    Amounts sum, sidecars, peak;
    for (uint32_t i = 0; i < block_.abi.containers.n; ++i) {
      const berth_container& container = *BERTH_AT(block_.abi.containers, berth_container, i);
      Amounts limits = Read(container.limits);
      if (container.kind == BERTH_CONTAINER_INIT) {
        Add(limits, sidecars);
        Raise(peak, limits);
        continue;
      }
      Add(sum, limits);
      if (container.kind == BERTH_CONTAINER_APP) continue;
      Add(sidecars, limits);
      Raise(peak, sidecars);
    }
    Raise(sum, peak);
    return sum;
  }

  const api::InternTables& intern_;
  const api::ResourcesBlock& block_;
};

// Label values need no escapes: the API server checks all of these names but node names, which it checks too.
void AppendSeries(const api::InternTables& intern, const char* family, const api::Pod& pod, const Amounts& amounts,
                  std::string& out) {
  const auto text = [&](base::Id id) { return id == base::kNoId ? std::string_view() : intern.ids.Text(id); };
  for (const auto& [resource, value] : amounts) {
    if (value == 0) continue;
    out.append(family).append("{namespace=\"").append(text(pod.abi.ns));
    out.append("\",node=\"").append(text(pod.abi.node_name)).append("\",pod=\"").append(pod.name());
    out.append("\",priority=\"").append(std::to_string(pod.abi.priority)).append("\",resource=\"").append(resource);
    out.append("\",scheduler=\"").append(text(pod.abi.scheduler_name)).append("\",unit=\"").append(UnitOf(resource));
    out.append("\"} ").append(metrics::FormatNumber(value)).append("\n");
  }
}

struct Family {
  const char* name;
  const char* help;
  Amounts (PodAmounts::*read)() const;
};

constexpr Family kLimit{"kube_pod_resource_limit",
                        "[STABLE] Resources limit for workloads on the cluster, broken down by pod. This shows the "
                        "resource usage the scheduler and kubelet expect per pod for resources along with the unit for "
                        "the resource if any.",
                        &PodAmounts::Limits};
constexpr Family kRequest{"kube_pod_resource_request",
                          "[STABLE] Resources requested by workloads on the cluster, broken down by pod. This shows "
                          "the resource usage the scheduler and kubelet expect per pod for resources along with the "
                          "unit for the resource if any.",
                          &PodAmounts::Requests};

void AppendFamily(const api::InternTables& intern, const std::vector<api::PodRef>& pods, const Family& family,
                  std::string& out) {
  std::string series;
  for (const api::PodRef& pod : pods) {
    AppendSeries(intern, family.name, *pod, (PodAmounts(intern, *pod).*family.read)(), series);
  }
  if (series.empty()) return;
  out.append("# HELP ").append(family.name).append(" ").append(family.help).append("\n");
  out.append("# TYPE ").append(family.name).append(" gauge\n").append(series);
}

}  // namespace

std::string_view UnitOf(std::string_view resource) {
  if (resource == "cpu") return "cores";
  if (resource == "memory" || resource == "storage" || resource == "ephemeral-storage") return "bytes";
  if (resource.starts_with("hugepages-")) return "bytes";
  if (resource.starts_with("attachable-volumes-")) return "integer";
  return "";
}

std::string ResourceMetricsText(const api::InternTables& intern, std::vector<api::PodRef> pods) {
  std::erase_if(pods, [](const api::PodRef& pod) { return pod->terminal() && pod->abi.node_name != base::kNoId; });
  const auto key = [&](const api::PodRef& pod) {
    const base::Id node = pod->abi.node_name;
    return std::tuple(intern.ids.Text(pod->abi.ns), node == base::kNoId ? std::string_view() : intern.ids.Text(node),
                      pod->name());
  };
  std::sort(pods.begin(), pods.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::string out;
  AppendFamily(intern, pods, kLimit, out);
  AppendFamily(intern, pods, kRequest, out);
  return out;
}

}  // namespace berth::daemon
