#include "telemetry/metrics/registry.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/thread_annotations.h"
#include "telemetry/metrics/plugin_series.h"
#include "telemetry/metrics/text_format.h"

namespace berth::metrics {
namespace {

// The families about the registry itself. Source: k8s.io/component-base/metrics/registry.go RegisterMetaMetrics.
const Family kRegistered{"registered_metrics_total",
                         Kind::kCounter,
                         Stability::kBeta,
                         {"stability_level", "deprecated_version"},
                         "The count of registered metrics broken by stability level and deprecation version.",
                         {}};
const Family kDisabled{
    "disabled_metrics_total", Kind::kCounter, Stability::kBeta, {}, "The count of disabled metrics.", {}};
const Family kHidden{"hidden_metrics_total", Kind::kCounter, Stability::kBeta, {}, "The count of hidden metrics.", {}};
const Family kUnexpected{"cardinality_enforcement_unexpected_categorizations_total",
                         Kind::kCounter,
                         Stability::kAlpha,
                         {},
                         "The count of unexpected categorizations during cardinality enforcement.",
                         {}};

// Splits "[ALPHA] text".
Family FamilyOf(const Name& name, Kind kind, const Labels& labels, const std::vector<double>& buckets) {
  Family family{name.name, kind, Stability::kNone, {}, name.help, buckets};
  for (const auto& [label, value] : labels) family.labels.push_back(label);
  for (const Stability stability : {Stability::kAlpha, Stability::kBeta, Stability::kStable}) {
    const std::string prefix = "[" + std::string(StabilityName(stability)) + "] ";
    if (!name.help.starts_with(prefix)) continue;
    family.stability = stability;
    family.help = name.help.substr(prefix.size());
  }
  return family;
}

void CheckLabels(const Family& family, const Labels& labels) {
  const bool same =
      labels.size() == family.labels.size() &&
      std::all_of(family.labels.begin(), family.labels.end(), [&](const auto& name) { return labels.contains(name); });
  if (!same) throw std::invalid_argument("metric " + family.name + " has other labels");
}

}  // namespace

void Counter::Increment(double by) const {
  if (counter_ != nullptr) counter_->Increment(by);
}

void Gauge::Set(double value) const {
  if (gauge_ != nullptr) gauge_->Set(value);
}

void Gauge::Add(double by) const {
  if (gauge_ != nullptr) gauge_->Increment(by);
}

void Histogram::Observe(double value) const {
  if (histogram_ != nullptr) histogram_->Observe(value);
}

void Histogram::ObserveMany(const std::vector<double>& counts, double sum) const {
  if (histogram_ != nullptr) histogram_->ObserveMultiple(counts, sum);
}

struct Registry::Impl : series::Gate {
  explicit Impl(Selection chosen) : selection(std::move(chosen)) {}

  // The declared family, or nullptr if it is disabled.
  const Family* Find(std::string_view name, Kind kind) {
    base::MutexLock lock(mutex);
    const auto found = families.find(name);
    if (found == families.end()) throw std::invalid_argument("metric " + std::string(name) + " is not declared");
    if (found->second.kind != kind) throw std::invalid_argument("metric " + std::string(name) + " has another kind");
    return selection.Disabled(name) ? nullptr : &found->second;
  }

  // Whether the family is new and enabled.
  bool Add(const Family& family) {
    base::MutexLock lock(mutex);
    return families.emplace(family.name, family).second && !selection.Disabled(family.name);
  }

  bool Disabled(std::string_view family) const override { return selection.Disabled(family); }
  void Constrain(std::string_view family, series::LabelValues& labels) const override {
    unexpected.Increment(static_cast<double>(selection.Constrain(family, labels)));
  }

  const Selection selection;
  const series::PluginFamilies* plugins = nullptr;  // set before other threads are there
  // Registering a name again returns the same family.
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};
  base::Mutex mutex;
  std::map<std::string, Family, std::less<>> families GUARDED_BY(mutex);  // never fewer
  std::vector<std::function<void()>> collectors GUARDED_BY(mutex);
  Counter unexpected;
};

Registry::Registry(Selection selection) : impl_(std::make_unique<Impl>(std::move(selection))) {
  // A family that --disabled-metrics names is counted twice, as upstream: as disabled, and as hidden once it registers.
  const std::array own{kRegistered, kDisabled, kHidden, kUnexpected};
  Declare(own);
  CounterOf(kDisabled.name).Increment(static_cast<double>(impl_->selection.n_disabled()));
  CounterOf(kHidden.name);
  impl_->unexpected = CounterOf(kUnexpected.name);
}

Registry::~Registry() = default;

void Registry::Declare(std::span<const Family> families) {
  for (const Family& family : families) {
    const bool added = impl_->Add(family);
    if (family.stability == Stability::kNone) continue;
    if (added) {
      CounterOf(kRegistered.name,
                {{"stability_level", std::string(StabilityName(family.stability))}, {"deprecated_version", ""}})
          .Increment();
    } else if (impl_->selection.Disabled(family.name)) {
      CounterOf(kHidden.name).Increment();
    }
  }
}

// Checks the labels, and replaces values that --allow-metric-labels does not name. nullptr: the family is disabled.
const Family* Registry::Prepare(std::string_view name, Kind kind, Labels& labels) {
  const Family* family = impl_->Find(name, kind);
  if (family == nullptr) return nullptr;
  CheckLabels(*family, labels);
  impl_->Constrain(name, labels);
  return family;
}

Counter Registry::CounterOf(std::string_view name, Labels labels) {
  const Family* family = Prepare(name, Kind::kCounter, labels);
  if (family == nullptr) return {};
  auto& series = prometheus::BuildCounter().Name(family->name).Help(HelpText(*family)).Register(impl_->registry);
  return Counter(series.Add(labels));
}

Gauge Registry::GaugeOf(std::string_view name, Labels labels) {
  const Family* family = Prepare(name, Kind::kGauge, labels);
  if (family == nullptr) return {};
  auto& series = prometheus::BuildGauge().Name(family->name).Help(HelpText(*family)).Register(impl_->registry);
  return Gauge(series.Add(labels));
}

Histogram Registry::HistogramOf(std::string_view name, Labels labels) {
  const Family* family = Prepare(name, Kind::kHistogram, labels);
  if (family == nullptr) return {};
  auto& series = prometheus::BuildHistogram().Name(family->name).Help(HelpText(*family)).Register(impl_->registry);
  return Histogram(series.Add(labels, family->buckets));
}

void Registry::DeclareGauges(const Name& name, const std::string& label) {
  const Family family = FamilyOf(name, Kind::kGauge, {{label, ""}}, {});
  Declare({&family, 1});
}

void Registry::Remove(std::string_view name, const Gauge& gauge) {
  const Family* family = impl_->Find(name, Kind::kGauge);
  if (family == nullptr || gauge.gauge_ == nullptr) return;
  prometheus::BuildGauge().Name(family->name).Help(HelpText(*family)).Register(impl_->registry).Remove(gauge.gauge_);
}

Counter Registry::MakeCounter(const Name& name, const Labels& labels) {
  const Family family = FamilyOf(name, Kind::kCounter, labels, {});
  Declare({&family, 1});
  return CounterOf(name.name, labels);
}

Gauge Registry::MakeGauge(const Name& name, const Labels& labels) {
  const Family family = FamilyOf(name, Kind::kGauge, labels, {});
  Declare({&family, 1});
  return GaugeOf(name.name, labels);
}

Histogram Registry::MakeHistogram(const Name& name, const std::vector<double>& buckets, const Labels& labels) {
  const Family family = FamilyOf(name, Kind::kHistogram, labels, buckets);
  Declare({&family, 1});
  return HistogramOf(name.name, labels);
}

void Registry::AddCollector(std::function<void()> update) {
  base::MutexLock lock(impl_->mutex);
  impl_->collectors.push_back(std::move(update));
}

void Registry::Serve(series::PluginFamilies& families) {
  families.SetGate(*impl_);
  impl_->plugins = &families;
}

std::vector<Family> Registry::Families() const {
  std::vector<Family> all;
  base::MutexLock lock(impl_->mutex);
  for (const auto& [name, family] : impl_->families) {
    if (!impl_->selection.Disabled(name)) all.push_back(family);
  }
  return all;
}

std::string Registry::Text() const {
  std::vector<std::function<void()>> collectors;
  {
    base::MutexLock lock(impl_->mutex);
    collectors = impl_->collectors;
  }
  for (const auto& update : collectors) update();
  std::vector<prometheus::MetricFamily> families = impl_->registry.Collect();
  if (impl_->plugins != nullptr) AppendPluginSeries(*impl_->plugins, families);
  std::sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::string out;
  for (prometheus::MetricFamily& family : families) AppendFamily(family, out);
  return out;
}

}  // namespace berth::metrics
