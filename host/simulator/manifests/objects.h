// Passes objects other than pods and nodes from the files to the listener, as an API server and its controllers would
// store them: it creates implied namespaces, and binds claims that name a volume. Source:
// pkg/apis/{core,storage}/v1/defaults.go, plugin/pkg/admission/storage/storageclass/setdefault,
// pkg/controller/volume/persistentvolume. Callers: the loader. Thread: one. Ownership: the caller owns the listener,
// which must outlive the object.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "codec/json/value.h"

namespace berth::manifests {

class Listener;

// Whether objects of this kind have a namespace. Kinds outside of Kubernetes have one if the object names one.
bool IsNamespaced(std::string_view api_version, std::string_view kind);

class Objects {
 public:
  explicit Objects(Listener& listener) : listener_(listener) {}

  // Sets the object, whose kind is in its apiVersion and kind, or removes it if `gone`. An object without a uid gets
  // the API server's defaults. Returns false if no plugin needs the kind or the object has no name.
  bool Take(json::Value object, bool gone);
  // Creates the namespace if it was not given.
  void UseNamespace(const std::string& ns);

 private:
  void SetDefaults(const std::string& kind, json::Value& object) const;
  void RememberClass(const json::Value& storage_class, bool gone);
  std::string DefaultClass() const;

  Listener& listener_;
  std::set<std::string> namespaces_;                    // the listener knows of
  std::map<std::string, std::string> default_classes_;  // default StorageClasses -> creationTimestamp
};

}  // namespace berth::manifests
