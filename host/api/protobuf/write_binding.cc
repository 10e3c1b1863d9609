#include "api/protobuf/write_binding.h"

#include "api/protobuf/fields.h"
#include "api/protobuf/message_writer.h"

namespace berth::protobuf {

std::string WriteBinding(const BindingFields& binding) {
  const size_t texts = binding.ns.size() + binding.name.size() + binding.uid.size() + binding.node.size();
  return WriteEnvelope("v1", "Binding", texts, [&](MessageWriter& object) {
    {
      MessageWriter metadata(object, fields::Binding::kMetadata);
      WriteNames(metadata, binding.ns, binding.name);
      metadata.Text(fields::ObjectMeta::kUid, binding.uid);
    }
    MessageWriter target(object, fields::Binding::kTarget);
    target.Text(fields::ObjectReference::kKind, "Node");
    target.Text(fields::ObjectReference::kName, binding.node);
  });
}

}  // namespace berth::protobuf
