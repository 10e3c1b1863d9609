#include "config/configuration/args.h"

#include "codec/fields/field_reader.h"
#include "codec/text/duration.h"
#include "config/configuration/args_schema.h"

namespace berth::config {
namespace {

using json::Value;

Value DecodeObject(const Value& given, ArgsFields fields, const std::string& path, fields::Issues& issues);

// An element of a list; null counts as the zero value, as in Go.
Value DecodeElement(const Value& given, const ArgsField& field, const std::string& path, fields::Issues& issues) {
  if (field.type == FieldType::kObject) return DecodeObject(given, field.fields, path, issues);
  if (given.is_null()) return Value("");
  if (!given.is_string()) issues.AddAt(given.mark(), path, fields::WrongType(given, "string"));
  return given.is_string() ? given : Value("");
}

Value DecodeList(const Value& given, const ArgsField& field, const std::string& path, fields::Issues& issues) {
  Value list{json::Array()};
  list.set_mark(given.mark());
  for (const Value& element : given.array()) {
    list.Append(DecodeElement(element, field, fields::Index(path, list.array().size()), issues));
  }
  return list;
}

Value DecodeStringMap(const Value& given, const std::string& path, fields::Issues& issues) {
  Value map{json::Object()};
  for (const json::Member& member : given.object()) {
    if (!member.second.is_string()) {
      issues.AddAt(member.second.mark(), path + "[" + member.first + "]", fields::WrongType(member.second, "string"));
      continue;
    }
    map.Set(member.first, member.second);
  }
  return map;
}

// The field when it is present and valid; null otherwise.
Value DecodeField(fields::FieldReader& reader, const ArgsField& field) {
  const std::string path = reader.PathOf(field.name);
  if (field.list) {
    const Value* list = reader.List(field.name);
    return list ? DecodeList(*list, field, path, reader.issues()) : Value();
  }
  if (field.type == FieldType::kObject || field.type == FieldType::kStringMap) {
    const Value* object = reader.Object(field.name);
    if (!object) return Value();
    return field.type == FieldType::kObject ? DecodeObject(*object, field.fields, path, reader.issues())
                                            : DecodeStringMap(*object, path, reader.issues());
  }
  bool truth = false;
  int32_t small = 0;
  int64_t large = 0;
  std::string text;
  std::chrono::nanoseconds duration{};
  switch (field.type) {
    case FieldType::kBool: return reader.Bool(field.name, truth) ? Value(truth) : Value();
    case FieldType::kInt32: return reader.Int32(field.name, small) ? Value(small) : Value();
    case FieldType::kInt64: return reader.Int64(field.name, large) ? Value(large) : Value();
    case FieldType::kString: return reader.String(field.name, text) ? Value(text) : Value();
    case FieldType::kDuration:  // a pointer in the args of every plugin, so null counts as absent
      return reader.Any(field.name) && reader.Duration(field.name, duration) ? Value(text::FormatDuration(duration))
                                                                             : Value();
    default: return Value();
  }
}

void DecodeInto(Value& out, fields::FieldReader& reader, ArgsFields fields) {
  for (const ArgsField& field : fields) {
    Value value = DecodeField(reader, field);
    if (!value.is_null()) out.Set(field.name, std::move(value));
  }
  reader.Done();
}

Value DecodeObject(const Value& given, ArgsFields fields, const std::string& path, fields::Issues& issues) {
  Value object{json::Object()};
  object.set_mark(given.mark());
  fields::FieldReader reader(given, path, issues);
  DecodeInto(object, reader, fields);
  return object;
}

// As in gvkWithDefaults of apimachinery's pkg/runtime/serializer/json/json.go.
bool LeavesVersionOut(std::string_view text) { return text.empty() || text == "/" || text == kSchedulerGroup; }

// apiVersion and kind are optional within args and may be empty; other values must match the plugin.
void CheckTypeMeta(fields::FieldReader& reader, std::string_view plugin) {
  const std::string wanted = std::string(plugin) + "Args";
  std::string version, kind;
  reader.String("apiVersion", version);
  reader.String("kind", kind);
  if (kind.empty()) kind = wanted;
  if (kind != wanted) {
    reader.issues().Add(reader.PathOf("kind"), "args for plugin " + std::string(plugin) + " were not of type " +
                                                   wanted + ".kubescheduler.config.k8s.io, got " + kind +
                                                   ".kubescheduler.config.k8s.io");
  }
  if (!LeavesVersionOut(version) && !ApiVersionNamed(version)) {
    reader.issues().Add(reader.PathOf("apiVersion"),
                        "no kind \"" + kind + "\" is registered for version \"" + version + "\"");
  }
}

bool IsZero(const Value& value) {
  switch (value.kind()) {
    case json::Kind::kNull: return true;
    case json::Kind::kBool: return !value.boolean();
    case json::Kind::kString: return value.string().empty();
    case json::Kind::kArray: return value.array().empty();
    case json::Kind::kObject: return value.object().empty();
    default: return value.number() == 0;
  }
}

Value EncodeObject(const Value& object, ArgsFields fields, bool in_1_23);

Value ZeroOf(const ArgsField& field) {
  if (field.list) return Value();
  switch (field.type) {
    case FieldType::kBool: return Value(false);
    case FieldType::kString: return Value("");
    case FieldType::kObject: return EncodeObject(Value(), field.fields, false);
    case FieldType::kDuration:
    case FieldType::kStringMap: return Value();
    default: return Value(0);
  }
}

Value EncodeField(const Value& value, const ArgsField& field, bool in_1_23) {
  if (field.type != FieldType::kObject) return value;
  if (!field.list) return EncodeObject(value, field.fields, in_1_23);
  Value list{json::Array()};
  for (const Value& element : value.array()) list.Append(EncodeObject(element, field.fields, in_1_23));
  return list;
}

Value EncodeObject(const Value& object, ArgsFields fields, bool in_1_23) {
  Value out{json::Object()};
  out.set_mark(object.mark());
  for (const ArgsField& field : fields) {
    if (in_1_23 && field.since_1_24) continue;
    const Value* value = object.Find(field.name);
    if (!value || value->is_null()) {
      if (field.written == Written::kAlways) out.Set(field.name, ZeroOf(field));
    } else if (field.written != Written::kUnlessZero || !IsZero(*value)) {
      out.Set(field.name, EncodeField(*value, field, in_1_23));
    }
  }
  return out;
}

}  // namespace

Value DecodeArgs(std::string_view plugin, const Value& given, const std::string& path, fields::Issues& issues) {
  Value args{json::Object()};
  args.set_mark(given.mark());
  fields::FieldReader reader(given, path, issues);
  CheckTypeMeta(reader, plugin);
  DecodeInto(args, reader, ArgsFieldsOf(plugin));
  return args;
}

Value EncodeArgs(std::string_view plugin, const Value& args, ApiVersion version) {
  Value out = EncodeObject(args, ArgsFieldsOf(plugin), version == ApiVersion::kV1beta2);
  out.Set("apiVersion", ApiVersionText(version));
  out.Set("kind", std::string(plugin) + "Args");
  return out;
}

}  // namespace berth::config
