// Objects other than pods and nodes on their way from files to the listener: as an API server would keep them, with the
// namespaces that are implied, and claims that name a volume bound to it, as the controllers beside it do. Source:
// pkg/apis/{core,storage}/v1/defaults.go, plugin/pkg/admission/storage/ storageclass/setdefault,
// pkg/controller/volume/persistentvolume. Callers: the loader. Thread: one. Ownership: the listener is the caller's and
// outlives it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::manifests {

class Listener;

// Has an object of this kind a namespace? Of kinds that are not Kubernetes' own only what they say counts.
bool IsNamespaced(std::string_view api_version, std::string_view kind);

class Objects {
 public:
  explicit Objects(Listener& listener) : listener_(listener) {}

  // Sets the object (its apiVersion and kind say what it is), or removes it. What has no uid gets an API server's
  // defaults. false: nobody needs the kind, or the object has no name.
  bool Take(json::Value object, bool gone);
  // The namespace is there: unless it was given, it is made.
  void UseNamespace(const std::string& ns);

 private:
  void SetDefaults(const std::string& kind, json::Value& object) const;
  void RememberClass(const json::Value& storage_class, bool gone);
  std::string DefaultClass() const;

  Listener& listener_;
  std::set<std::string> namespaces_;                    // the listener knows of
  std::map<std::string, std::string> default_classes_;  // StorageClasses that are default -> creationTimestamp
};

}  // namespace berth::manifests
