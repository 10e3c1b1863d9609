// DefaultBinder: binds a pod with the host's API client. Source:
// pkg/scheduler/framework/plugins/defaultbinder/default_binder.go.
#include <berth/plugin.hpp>

#include <string>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class DefaultBinder {
 public:
  static constexpr Info kInfo{.name = "DefaultBinder", .vendor = "berth.dev", .flags = BERTH_F_NEVER_BLOCKS};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_BINDER};

  explicit DefaultBinder(Host& host) : host_(host) {}

  // The operation ends when the API server has answered. No thread waits for it.
  Status Bind(Cycle&, const Pod& pod, Id node, Op& op) {
    if (const auto log = host_.V(3)) {
      const std::string key = std::string(host_.Text(pod.ns())) + "/" + std::string(pod.name());
      log.Info("Attempting to bind pod to node", {{"pod", key}, {"node", host_.Text(node)}});
    }
    return host_.Bind(pod, node, op);
  }

 private:
  Host& host_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::DefaultBinder);
