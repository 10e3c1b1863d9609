#include "berth/testing/fake_metrics.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "berth/list.hpp"
#include "berth/testing/fake_host.hpp"
#include "berth/text.hpp"
#include "metric_mistakes.h"

namespace berth::sdk::testing {

struct FakeMetrics::Series {
  FakeMetrics* metrics;
  const Family* family;
  double value = 0;
  std::vector<double> observed;
};

struct FakeMetrics::Family {
  FakeMetrics* metrics;
  MetricDefinition definition;
  bool kube;
  std::map<Texts, std::unique_ptr<Series>> series;
};

namespace {

std::vector<MetricDefinition> KubeMetrics() {
  return {{BERTH_METRIC_HISTOGRAM, BERTH_KUBE_PREEMPTION_VICTIMS, "Help.", {}, {1, 2, 4, 8, 16, 32, 64}},
          {BERTH_METRIC_HISTOGRAM, BERTH_KUBE_PREEMPTION_DURATION, "Help.", {"result"}, {1}},
          {BERTH_METRIC_COUNTER, BERTH_KUBE_PREEMPTION_EXECUTIONS, "Help.", {"result"}, {}},
          {BERTH_METRIC_COUNTER, BERTH_KUBE_VOLUME_STAGE_ERRORS, "Help.", {"operation"}, {}}};
}

MetricDefinition DefinitionOf(const berth_metric_spec& spec) {
  MetricDefinition definition{spec.kind, std::string(View(spec.name)), std::string(View(spec.help)), {}, {}};
  for (const berth_str& label : List<berth_str>(spec.labels)) definition.labels.emplace_back(View(label));
  for (const double bound : List<double>(spec.buckets)) definition.buckets.push_back(bound);
  return definition;
}

std::string NumberText(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

FakeMetrics::FakeMetrics(Checker& checker) : checker_(checker) {}

FakeMetrics::~FakeMetrics() = default;

const FakeMetrics::Series* FakeMetrics::Find(const std::string& name, const Texts& labels) const {
  const auto family = families_.find(name);
  if (family == families_.end()) return nullptr;
  const auto series = family->second->series.find(labels);
  return series == family->second->series.end() ? nullptr : series->second.get();
}

std::optional<double> FakeMetrics::Value(const std::string& name, const Texts& labels) const {
  const std::lock_guard lock(mutex_);
  const Series* series = Find(name, labels);
  return series == nullptr ? std::nullopt : std::optional(series->value);
}

std::vector<double> FakeMetrics::Observed(const std::string& name, const Texts& labels) const {
  const std::lock_guard lock(mutex_);
  const Series* series = Find(name, labels);
  return series == nullptr ? std::vector<double>() : series->observed;
}

Texts FakeMetrics::Lines() const {
  const std::lock_guard lock(mutex_);
  Texts lines;
  for (const auto& [name, family] : families_) {
    const MetricDefinition& definition = family->definition;
    for (const auto& [values, series] : family->series) {
      std::string line = name;
      for (size_t i = 0; i < values.size(); ++i) {
        line += (i == 0 ? "{" : ",") + definition.labels[i] + "=\"" + values[i] + "\"";
      }
      const bool counts = definition.kind == BERTH_METRIC_HISTOGRAM;
      const double value = counts ? static_cast<double>(series->observed.size()) : series->value;
      lines.push_back(line + (values.empty() ? " " : "} ") + NumberText(value));
    }
  }
  return lines;
}

berth_metrics FakeMetrics::Table() { return {sizeof(berth_metrics), 0, &Define, &Kube, &At, &Add, &Set, &Observe}; }

FakeMetrics& FakeMetrics::Of(const berth_host* host) { return static_cast<FakeHost*>(host->impl)->metrics(); }

FakeMetrics::Family* FakeMetrics::Keep(Family definition) {
  const std::lock_guard lock(mutex_);
  auto& kept = families_[definition.definition.name];
  if (kept == nullptr) kept = std::make_unique<Family>(std::move(definition));
  return kept.get();
}

size_t FakeMetrics::OwnFamilies() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::count_if(families_.begin(), families_.end(), [](const auto& one) { return !one.second->kube; }));
}

const berth_metric_family* FakeMetrics::Define(const berth_host* host, const berth_metric_spec* spec) {
  FakeMetrics& self = Of(host);
  self.checker_.MayCall("metrics family()", kStarting | kActivating);
  const MetricDefinition definition = DefinitionOf(*spec);
  std::string mistake = MistakeIn(definition);
  Family* family = mistake.empty() ? self.Keep({&self, definition, false, {}}) : nullptr;
  if (family != nullptr && family->definition != definition) {
    mistake = "name: the plugin has this family already, with another definition";
  }
  if (mistake.empty() && self.OwnFamilies() > BERTH_METRIC_MOST_FAMILIES) {
    mistake = "the plugin has " + std::to_string(BERTH_METRIC_MOST_FAMILIES) + " families, and may not have more";
  }
  if (!mistake.empty()) self.checker_.Report("metric \"" + definition.name + "\": " + mistake);
  return mistake.empty() ? reinterpret_cast<const berth_metric_family*>(family) : nullptr;
}

const berth_metric_family* FakeMetrics::Kube(const berth_host* host, berth_str name) {
  FakeMetrics& self = Of(host);
  self.checker_.MayCall("metrics kube()", kStarting | kActivating);
  for (const MetricDefinition& one : KubeMetrics()) {
    if (one.name == View(name)) return reinterpret_cast<const berth_metric_family*>(self.Keep({&self, one, true, {}}));
  }
  return nullptr;
}

berth_metric* FakeMetrics::At(const berth_host* host, const berth_metric_family* raw, const berth_str* values,
                              uint32_t n) {
  FakeMetrics& self = Of(host);
  self.checker_.MayCall("metrics series()", kAnywhere);
  if (raw == nullptr) return nullptr;
  auto* family = reinterpret_cast<Family*>(const_cast<berth_metric_family*>(raw));
  const MetricDefinition& definition = family->definition;
  if (n != definition.labels.size()) {
    self.checker_.Report("metrics series() of \"" + definition.name + "\" with " + std::to_string(n) + " values for " +
                         std::to_string(definition.labels.size()) + " labels");
    return nullptr;
  }
  const std::lock_guard lock(self.mutex_);
  Texts labels = sdk::testing::TextsOf(values, n);
  const Texts beyond(n, "overflow");
  const bool full = family->series.size() >= BERTH_METRIC_MOST_SERIES + family->series.count(beyond);
  if (!AreLabelValues(labels) || (full && !family->series.contains(labels))) {
    if (definition.kind == BERTH_METRIC_GAUGE) return nullptr;
    labels = beyond;
  }
  auto& series = family->series[labels];
  if (series == nullptr) series = std::make_unique<Series>(Series{&self, family, 0, {}});
  return reinterpret_cast<berth_metric*>(series.get());
}

void FakeMetrics::Add(berth_metric* metric, double by) {
  if (metric == nullptr) return;
  auto& series = *reinterpret_cast<Series*>(metric);
  FakeMetrics& self = *series.metrics;
  self.checker_.MayCall("metrics add()", kAnywhere);
  const MetricDefinition& definition = series.family->definition;
  const bool counts = definition.kind == BERTH_METRIC_COUNTER;
  if (definition.kind == BERTH_METRIC_HISTOGRAM || !std::isfinite(by) || (counts && by < 0)) {
    return self.checker_.Report("metrics add() of " + NumberText(by) + " to \"" + definition.name +
                                "\", which the host ignores");
  }
  const std::lock_guard lock(self.mutex_);
  series.value += by;
}

void FakeMetrics::Set(berth_metric* metric, double value) {
  if (metric == nullptr) return;
  auto& series = *reinterpret_cast<Series*>(metric);
  FakeMetrics& self = *series.metrics;
  self.checker_.MayCall("metrics set()", kAnywhere);
  if (series.family->definition.kind != BERTH_METRIC_GAUGE) {
    return self.checker_.Report("metrics set() of \"" + series.family->definition.name + "\", which is no gauge");
  }
  const std::lock_guard lock(self.mutex_);
  series.value = value;
}

void FakeMetrics::Observe(berth_metric* metric, double value) {
  if (metric == nullptr) return;
  auto& series = *reinterpret_cast<Series*>(metric);
  FakeMetrics& self = *series.metrics;
  self.checker_.MayCall("metrics observe()", kAnywhere);
  if (series.family->definition.kind != BERTH_METRIC_HISTOGRAM || !std::isfinite(value)) {
    return self.checker_.Report("metrics observe() of " + NumberText(value) + " by \"" +
                                series.family->definition.name + "\", which the host ignores");
  }
  const std::lock_guard lock(self.mutex_);
  series.observed.push_back(value);
}

}  // namespace berth::sdk::testing
