#include "api/protobuf/message_types.h"

namespace berth::protobuf {
namespace {

#include "api/protobuf/message_types.inc"

}  // namespace

std::span<const Field> FieldsOf(uint16_t index) {
  return std::span(kFields).subspan(kMessages[index].first, kMessages[index].n_fields);
}

const KindType* FindKind(std::string_view path) {
  for (const KindType& kind : kKinds) {
    if (kind.path == path) return &kind;
  }
  return nullptr;
}

const KindType* FindKind(std::string_view api_version, std::string_view kind) {
  for (const KindType& one : kKinds) {
    if (one.api_version == api_version && one.kind == kind) return &one;
  }
  return nullptr;
}

std::span<const KindType> AllKinds() { return kKinds; }

}  // namespace berth::protobuf
