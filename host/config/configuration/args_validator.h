// The interface that checks the values within a plugin's args. args.h has checked the shape of in-tree args before; the
// plugin decides which values are valid. The host implements ArgsValidator over loaded libraries; InTreeArgsValidator
// needs no library. Thread: the one that loads the configuration.
#pragma once

#include <functional>
#include <string>

#include "codec/json/value.h"
#include "config/configuration/feature_gates.h"

namespace berth::config {

class ArgsValidator {
 public:
  // path is relative to the args ("scoringStrategy.resources[0].weight"), empty for the args as a whole.
  using Sink = std::function<void(const std::string& path, const std::string& reason)>;

  virtual ~ArgsValidator() = default;
  // The args with the plugin's own defaults. Not called for plugins with an in-tree args type. args may be null.
  virtual json::Value Complete(const std::string& plugin, json::Value args) = 0;
  // Calls sink for each invalid value in completed args.
  virtual void Check(const std::string& plugin, const json::Value& args, const Sink& sink) = 0;
  // An example of args from the plugin's library, without defaults; null: there is none.
  virtual json::Value Sample(const std::string& plugin) {
    (void)plugin;
    return {};
  }
};

// Checks the eight in-tree args types with kube-scheduler's messages
// (pkg/scheduler/apis/config/validation/validation_pluginargs.go); accepts the args of every other plugin.
//
// kube-scheduler 1.36 looks up its check of NodeResourcesFit args under a wrong name, and so reports bad args only when
// it builds the plugin. This class checks them too.
class InTreeArgsValidator : public ArgsValidator {
 public:
  explicit InTreeArgsValidator(const FeatureGates& gates) : gates_(gates) {}
  json::Value Complete(const std::string&, json::Value args) override { return args; }
  void Check(const std::string& plugin, const json::Value& args, const Sink& sink) override;

 private:
  const FeatureGates& gates_;
};

// NodeAffinityArgs: the selectors must parse (component-helpers nodeaffinity.go, apimachinery labels/selector.go).
void CheckNodeAffinityArgs(const json::Value& args, const ArgsValidator::Sink& sink);

}  // namespace berth::config
