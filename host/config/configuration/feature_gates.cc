#include "config/configuration/feature_gates.h"

#include <algorithm>

#include "base/text.h"
#include "codec/text/number.h"
#include "codec/text/trim.h"

namespace berth::config {
namespace {

using Settings = std::map<std::string, bool, std::less<>>;

std::string_view Trim(std::string_view text) { return text::Trim(text, " \t"); }

// Parses Name=bool; returns the error, or "".
std::string ReadPair(std::string_view pair, Settings& out) {
  const size_t equals = pair.find('=');
  const std::string name(Trim(pair.substr(0, equals)));
  if (equals == std::string_view::npos) return "missing bool value for " + name;
  const std::string value(Trim(pair.substr(equals + 1)));
  const base::Result<bool> on = text::ParseBool(value);
  if (!on) {
    return "invalid value of " + name + "=" + value + ", err: " + on.error().message;
  }
  out[name] = *on;
  return {};
}

// Removes "component:" from the pair; returns an error for another component.
std::string TakeComponent(std::string_view& pair, bool& bare, bool& prefixed) {
  const size_t colon = pair.find(':');
  if (colon == std::string_view::npos) {
    bare = true;
    return {};
  }
  const std::string_view component = Trim(pair.substr(0, colon));
  pair.remove_prefix(colon + 1);
  if (!component.empty() && component != "kube") return "component not registered: " + std::string(component);
  (component.empty() ? bare : prefixed) = true;
  return {};
}

std::string CheckGate(const std::string& name, bool on) {
  const Gate* gate = FindGate(name);
  if (!gate) return "unrecognized feature gate: " + name;
  if (!gate->locked || gate->on_by_default == on) return {};
  const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
  return "cannot set feature gate " + name + " to " + text(on) + ", feature is locked to " + text(gate->on_by_default);
}

// AllAlpha and AllBeta set the gates of their stage that are not set by name.
void SpreadToStage(Settings& settings, std::string_view name, Stage stage) {
  const auto all = settings.find(name);
  if (all == settings.end()) return;
  const bool on = all->second;
  for (const Gate& gate : AllGates()) {
    if (gate.stage == stage && gate.name != "AllAlpha" && gate.name != "AllBeta")
      settings.try_emplace(std::string(gate.name), on);
  }
}

}  // namespace

const Gate* FindGate(std::string_view name) {
  const std::vector<Gate>& gates = AllGates();
  const auto found = std::lower_bound(gates.begin(), gates.end(), name,
                                      [](const Gate& gate, std::string_view wanted) { return gate.name < wanted; });
  return found != gates.end() && found->name == name ? &*found : nullptr;
}

bool FeatureGates::EnabledWith(const Settings& set, std::string_view name) const {
  if (const auto found = set.find(name); found != set.end()) return found->second;
  const Gate* gate = FindGate(name);
  return gate && gate->on_by_default;
}

bool FeatureGates::Enabled(std::string_view name) const { return EnabledWith(set_, name); }

std::vector<std::string> FeatureGates::UnmetDependencies(const Settings& set) const {
  std::vector<std::string> errors;
  for (const GateDependency& dependency : GateDependencies()) {
    if (!EnabledWith(set, dependency.gate)) continue;
    std::vector<std::string> off;
    for (std::string_view needed : dependency.needs) {
      if (!EnabledWith(set, needed)) off.emplace_back(needed);
    }
    if (off.empty()) continue;
    errors.push_back(std::string(dependency.gate) +
                     " is enabled, but depends on features that are disabled: " + base::Bracketed(off));
  }
  return errors;
}

std::vector<std::string> FeatureGates::Set(std::string_view flag) {
  std::vector<std::string> errors;
  Settings given;
  bool bare = false;
  bool prefixed = false;
  while (!flag.empty()) {
    std::string_view pair = flag.substr(0, flag.find(','));
    flag.remove_prefix(std::min(flag.size(), pair.size() + 1));
    if (pair.empty()) continue;
    std::string error = TakeComponent(pair, bare, prefixed);
    if (error.empty()) error = ReadPair(pair, given);
    if (!error.empty()) errors.push_back(error);
  }
  if (bare && prefixed) {
    errors.emplace_back(
        "set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use");
  }
  for (const auto& [name, on] : given) {
    const std::string error = CheckGate(name, on);
    if (!error.empty()) errors.push_back(error);
  }
  if (!errors.empty()) return errors;
  Settings all = set_;
  for (const auto& [name, on] : given) all[name] = on;
  SpreadToStage(all, "AllAlpha", Stage::kAlpha);
  SpreadToStage(all, "AllBeta", Stage::kBeta);
  errors = UnmetDependencies(all);
  if (errors.empty()) set_ = std::move(all);
  return errors;
}

std::vector<std::string> FeatureGates::Warnings() const {
  std::vector<std::string> warnings;
  for (const auto& [name, on] : set_) {
    const Gate* gate = FindGate(name);
    if (gate->reach != Reach::kIgnored || gate->on_by_default == on) continue;
    warnings.push_back("feature gate " + name + "=" + (on ? "true" : "false") +
                       " has no effect: Berth does not implement it");
  }
  return warnings;
}

}  // namespace berth::config
