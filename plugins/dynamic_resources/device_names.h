// Extended resources that stand for devices: the ones that a DeviceClass names, and those named after a class.
// [serial]. Source: pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go,
// pkg/scheduler/util/utils.go.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace plugins {

class DeviceNames {
 public:
  explicit DeviceNames(berth::sdk::Host& host) : host_(&host), objects_(host) {}
  DeviceNames(const DeviceNames&) = delete;
  DeviceNames& operator=(const DeviceNames&) = delete;

  void Need() { classes_ = objects_.Need("resource.k8s.io", "v1", "deviceclasses"); }  // in Activate

  // Whether the pod requests any of them.
  bool Claims(berth::sdk::List<berth_amount> requests) {
    const uint64_t version = objects_.Version(classes_);
    if (version != version_) Read();
    version_ = version;
    if (names_.empty()) return false;
    return std::any_of(requests.begin(), requests.end(), [this](const berth_amount& amount) {
      return amount.value != 0 && std::find(names_.begin(), names_.end(), amount.name) != names_.end();
    });
  }

 private:
  void Read() {
    for (const berth::sdk::Id name : names_) host_->Drop(name);
    names_.clear();
    for (const berth::sdk::Object device_class : objects_.All(classes_)) {
      names_.push_back(host_->Intern("deviceclass.resource.kubernetes.io/" + std::string(device_class.name())));
      const std::string_view extended = device_class.At("spec", "extendedResourceName").AsString();
      if (!extended.empty()) names_.push_back(host_->Intern(extended));
    }
  }

  berth::sdk::Host* host_;
  berth::sdk::Objects objects_;
  berth::sdk::ObjectKind classes_ = 0;
  uint64_t version_ = 0;               // a value that the host never returns
  std::vector<berth::sdk::Id> names_;  // a cluster has few classes
};

}  // namespace plugins
