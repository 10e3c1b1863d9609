// Kinds of objects, as an API server's paths name them and as kube-scheduler's events do. Thread: constants and values.
// Source: k8s.io/kube-scheduler/framework/types.go (EventResource); core.md 5.7, 7.3.
#pragma once

#include <string>
#include <string_view>

namespace berth::objects {

struct Kind {
  std::string group, version, resource;  // "storage.k8s.io", "v1", "storageclasses"; group "" is the core
  // "PersistentVolume", "storage.k8s.io/StorageClass"; "services.v1." and "foos.v1.example.com" where upstream has no
  // name of its own.
  std::string event_resource;
  bool named_event = false;       // upstream has a name: registrations for every resource mean it, too
  bool has_pod_template = false;  // spec.template is not kept

  std::string path() const;  // "/api/v1/services", "/apis/apps/v1/replicasets"
};

// False: no path of an API server could be made of it.
bool IsKindName(std::string_view group, std::string_view version, std::string_view resource);
Kind MakeKind(std::string_view group, std::string_view version, std::string_view resource);

// "apps/v1" -> {"apps", "v1"}, "v1" -> {"", "v1"}.
struct GroupVersion {
  std::string_view group, version;
};
GroupVersion SplitApiVersion(std::string_view api_version);
// "StorageClass" -> "storageclasses". Source: UnsafeGuessKindToResource of k8s.io/apimachinery/pkg/api/meta.
std::string ResourceOf(std::string_view kind);

}  // namespace berth::objects
