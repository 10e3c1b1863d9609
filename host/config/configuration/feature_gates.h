// --feature-gates: which features of kube-scheduler 1.36 are on. Gates shape the default plugin set and what args may
// say. Thread: set up at start on one thread, then read by any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace berth::config {

enum class Stage : uint8_t { kAlpha, kBeta, kGa, kDeprecated };

// What turning a gate changes in Berth.
enum class Reach : uint8_t {
  kFollowed,   // Berth does what the gate says, or the gate is locked and Berth behaves so
  kIgnored,    // the gate changes kube-scheduler, but Berth always behaves as the default does
  kElsewhere,  // kube-scheduler accepts the name, but other components act on it
};

struct Gate {
  std::string_view name;
  bool on_by_default;
  Stage stage;
  bool locked;  // may not be changed from the default
  Reach reach;
};

struct GateDependency {
  std::string_view gate;
  std::vector<std::string_view> needs;
};

// Every gate that kube-scheduler 1.36.3 accepts, by name (from featuregate.GetAll() of that program).
const std::vector<Gate>& AllGates();
const std::vector<GateDependency>& GateDependencies();
// nullptr when there is no such gate.
const Gate* FindGate(std::string_view name);

class FeatureGates {
 public:
  // An unknown name is off.
  bool Enabled(std::string_view name) const;

  // Applies the flag's value, "[component:]Name=bool,..."; a repeated flag adds to the earlier ones. Returns the errors
  // with kube-scheduler's messages; with an error nothing has changed.
  std::vector<std::string> Set(std::string_view flag);

  // One sentence for each gate that was changed from its default although Berth ignores it.
  std::vector<std::string> Warnings() const;

 private:
  bool EnabledWith(const std::map<std::string, bool, std::less<>>& set, std::string_view name) const;
  std::vector<std::string> UnmetDependencies(const std::map<std::string, bool, std::less<>>& set) const;

  std::map<std::string, bool, std::less<>> set_;
};

}  // namespace berth::config
