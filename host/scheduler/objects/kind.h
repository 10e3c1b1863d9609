// Kinds of objects: their names in paths of the API server and in kube-scheduler's events. Thread: constants and
// values. Source: k8s.io/kube-scheduler/framework/types.go EventResource.
#pragma once

#include <string>
#include <string_view>

namespace berth::objects {

struct Kind {
  std::string group, version, resource;  // "storage.k8s.io", "v1", "storageclasses"; group "" is the core
  // "PersistentVolume", "storage.k8s.io/StorageClass"; "services.v1." and "foos.v1.example.com" for kinds that upstream
  // has no name for.
  std::string event_resource;
  bool named_event = false;       // upstream has a name for it; a registration for all resources includes it
  bool has_pod_template = false;  // spec.template is dropped

  std::string path() const;  // "/api/v1/services", "/apis/apps/v1/replicasets"
};

// Whether these names can form a path of an API server.
bool IsKindName(std::string_view group, std::string_view version, std::string_view resource);
Kind MakeKind(std::string_view group, std::string_view version, std::string_view resource);

// "apps/v1" -> {"apps", "v1"}, "v1" -> {"", "v1"}.
struct GroupVersion {
  std::string_view group, version;
};
GroupVersion SplitApiVersion(std::string_view api_version);
// "StorageClass" -> "storageclasses". Source: k8s.io/apimachinery/pkg/api/meta UnsafeGuessKindToResource.
std::string ResourceOf(std::string_view kind);

}  // namespace berth::objects
