// Who judges the values within a plugin's args. The shape of in-tree args is checked before (args.h); what the values
// may be is the plugin's business. The host implements ArgsJudge over loaded libraries; InTreeArgsJudge needs no
// library. Thread: the one that loads the configuration.
#pragma once

#include <functional>
#include <string>

#include "config/feature_gates.h"
#include "json/value.h"

namespace berth::config {

class ArgsJudge {
 public:
  // path is relative to the args ("scoringStrategy.resources[0].weight"), empty for the args as a whole.
  using Sink = std::function<void(const std::string& path, const std::string& reason)>;

  virtual ~ArgsJudge() = default;
  // The args with the plugin's own defaults filled in. Not asked about plugins with an in-tree args type. args may be
  // null.
  virtual json::Value Complete(const std::string& plugin, json::Value args) = 0;
  // Calls sink for everything wrong with completed args.
  virtual void Check(const std::string& plugin, const json::Value& args, const Sink& sink) = 0;
  // An example of args, as the plugin's library gives it and not completed; null: there is none.
  virtual json::Value Sample(const std::string& plugin) {
    (void)plugin;
    return {};
  }
};

// core.md 3.2 for the eight in-tree args types, in kube-scheduler's words; silent about every other plugin.
//
// Unlike kube-scheduler 1.36, which looks its check up under a wrong name and so tells of bad NodeResourcesFit args
// only when it builds the plugin, it checks those here too.
class InTreeArgsJudge : public ArgsJudge {
 public:
  explicit InTreeArgsJudge(const FeatureGates& gates) : gates_(gates) {}
  json::Value Complete(const std::string&, json::Value args) override { return args; }
  void Check(const std::string& plugin, const json::Value& args, const Sink& sink) override;

 private:
  const FeatureGates& gates_;
};

// NodeAffinityArgs: the selectors must parse (component-helpers nodeaffinity.go, apimachinery labels/selector.go).
void CheckNodeAffinityArgs(const json::Value& args, const ArgsJudge::Sink& sink);

}  // namespace berth::config
