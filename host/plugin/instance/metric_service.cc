// The service table of berth/metrics.h: metrics of plugins. A family of the ABI is a series::BoundedFamily, a
// series is a series::Cell.
#include "berth/metrics.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/text_view.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/running_call.h"
#include "plugin/instance/services.h"
#include "telemetry/log/log.h"
#include "telemetry/series/plugin_families.h"

namespace berth::plugin {
namespace {

using api::View;

const berth_metric_family* AbiFamily(series::BoundedFamily* family) {
  return reinterpret_cast<const berth_metric_family*>(family);
}
// The host created it and owns it; it is const only for the plugin.
series::BoundedFamily* FamilyOf(const berth_metric_family* family) {
  return reinterpret_cast<series::BoundedFamily*>(const_cast<berth_metric_family*>(family));
}
series::Cell* CellOf(berth_metric* metric) { return reinterpret_cast<series::Cell*>(metric); }

// Fields of a shorter struct are as if empty.
series::Definition DefinitionOf(const berth_metric_spec& spec) {
  series::Definition definition;
  definition.name = View(spec.name);
  definition.help = View(spec.help);
  for (uint32_t i = 0; i < spec.labels.n; ++i)
    definition.labels.emplace_back(View(*BERTH_AT(spec.labels, berth_str, i)));
  for (uint32_t i = 0; i < spec.buckets.n; ++i) definition.buckets.push_back(*BERTH_AT(spec.buckets, double, i));
  return definition;
}

base::Result<series::Kind> KindOf(uint32_t kind) {
  switch (kind) {
    case BERTH_METRIC_COUNTER: return series::Kind::kCounter;
    case BERTH_METRIC_GAUGE: return series::Kind::kGauge;
    case BERTH_METRIC_HISTOGRAM: return series::Kind::kHistogram;
    default: return base::Fail("kind: " + std::to_string(kind) + " is none of BERTH_METRIC_*");
  }
}

base::Result<series::BoundedFamily*> Define(Instance& instance, const berth_metric_spec& spec) {
  const auto kind = KindOf(spec.kind);
  if (!kind) return tl::unexpected(kind.error());
  series::Definition definition = DefinitionOf(spec);
  definition.kind = *kind;
  return instance.services().metrics().Define(instance.spec().library_plugin, std::move(definition), &instance);
}

const berth_metric_family* Family(const berth_host* host, const berth_metric_spec* spec) {
  Instance* instance = ContextOf(host).instance;
  if (instance == nullptr) return nullptr;  // the host checks args
  const HostTime waiting;
  if (spec->size < sizeof(berth_metric_spec)) {
    log::Error("A plugin's metric is not served: its definition is too short", {{"plugin", instance->name()}});
    return nullptr;
  }
  const auto family = Define(*instance, *spec);
  if (family) return AbiFamily(*family);
  log::Error("A plugin's metric is not served: its definition has a mistake", {{"plugin", instance->name()},
                                                                               {"library", instance->library().path()},
                                                                               {"metric", View(spec->name)},
                                                                               {"err", family.error().message}});
  return nullptr;
}

const berth_metric_family* Kube(const berth_host* host, berth_str name) {
  Instance* instance = ContextOf(host).instance;
  return instance == nullptr ? nullptr : AbiFamily(instance->services().metrics().Shared(View(name), instance));
}

// Once for a family.
void TellLack(const Instance& instance, const series::BoundedFamily& family, series::Lack lack) {
  const auto tell = [&](std::string_view message) {
    log::Warning(message, {{"plugin", instance.name()}, {"metric", family.name()}});
  };
  switch (lack) {
    case series::Lack::kLabels:
      return tell("A plugin's metric is not recorded: its values are not as many as its labels");
    case series::Lack::kOverflow:
      return tell("A plugin's metric has too many series, or too long values: further ones count as \"overflow\"");
    case series::Lack::kDropped:
      return tell("A plugin's gauge has too many series, or too long values: further ones are not served");
    case series::Lack::kDisabled:
    case series::Lack::kNone: return;
  }
}

berth_metric* Series(const berth_host* host, const berth_metric_family* family, const berth_str* values, uint32_t n) {
  Instance* instance = ContextOf(host).instance;
  if (instance == nullptr || family == nullptr) return nullptr;
  std::vector<std::string> texts;
  for (const berth_str value : std::span(values, n)) texts.emplace_back(View(value));
  const series::Found found = instance->services().metrics().At(*FamilyOf(family), std::move(texts), instance);
  if (found.first) TellLack(*instance, *FamilyOf(family), found.lack);
  return reinterpret_cast<berth_metric*>(found.cell);
}

void Add(berth_metric* metric, double by) {
  if (metric != nullptr) CellOf(metric)->Add(by);
}
void Set(berth_metric* metric, double value) {
  if (metric != nullptr) CellOf(metric)->Set(value);
}
void Observe(berth_metric* metric, double value) {
  if (metric != nullptr) CellOf(metric)->Observe(value);
}

}  // namespace

const void* MetricService() {
  static const berth_metrics table{sizeof table, 0, Family, Kube, Series, Add, Set, Observe};
  return &table;
}

const series::Limits& MetricLimits() {
  static const series::Limits limits{.families = BERTH_METRIC_MOST_FAMILIES,
                                     .series = BERTH_METRIC_MOST_SERIES,
                                     .labels = BERTH_METRIC_MOST_LABELS,
                                     .buckets = BERTH_METRIC_MOST_BUCKETS,
                                     .name = BERTH_METRIC_MOST_NAME,
                                     .help = BERTH_METRIC_MOST_HELP,
                                     .value = BERTH_METRIC_MOST_VALUE};
  return limits;
}

}  // namespace berth::plugin
