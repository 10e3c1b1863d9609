// A v1.Binding in protobuf, in its envelope. Thread: any; a pure function. Source: pkg/scheduler/framework/plugins/
// defaultbinder, k8s.io/api/core/v1 generated.proto.
#pragma once

#include <string>
#include <string_view>

namespace berth::protobuf {

// The pod has this name, namespace, and UID. It allocates memory for its result only.
struct BindingFields {
  std::string_view ns, name, uid, node;
};
std::string WriteBinding(const BindingFields& binding);

}  // namespace berth::protobuf
