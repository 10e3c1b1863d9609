// Tables of the messages of Kubernetes' built-in kinds: how their fields are named and typed in protobuf and in JSON.
// Thread: constants. Source: generated.proto and the struct tags of k8s.io/api; generate.py writes message_types.inc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace berth::protobuf {

enum class FieldType : uint8_t {
  kText,
  kInt32,
  kInt64,
  kBool,
  kBytes,
  kMessage,
  kQuantity,
  kTime,
  kMicroTime,
  kDuration,
  kIntOrString,
  kRawExtension,
};
enum class Shape : uint8_t { kSingle, kRepeated, kMap, kInline };  // kInline: JSON has its fields in the outer object
enum class Absent : uint8_t { kNothing, kNull, kZero };  // what JSON has for a field that the message does not have

struct Field {
  std::string_view name;  // in JSON
  uint16_t number;        // in protobuf
  uint16_t message;       // index of the type of a kMessage
  FieldType type;         // of a map: of its values
  Shape shape;
  Absent absent;
  bool omit_zero;  // JSON leaves out a zero value
};

// A range of all fields.
struct MessageType {
  uint16_t first, n_fields;
};

struct KindType {
  std::string_view path;         // "/apis/apps/v1/replicasets"
  std::string_view api_version;  // "apps/v1"
  std::string_view kind;         // "ReplicaSet"
  uint16_t message;
};

// The fields of a message, by number. index: KindType::message or Field::message.
std::span<const Field> FieldsOf(uint16_t index);
// The kind that this path of an API server lists; nullptr: it has no table, its objects must be asked for as JSON.
const KindType* FindKind(std::string_view path);
// Of this version and name, such as "v1" and "Binding"; nullptr: there is no table.
const KindType* FindKind(std::string_view api_version, std::string_view kind);
std::span<const KindType> AllKinds();

}  // namespace berth::protobuf
