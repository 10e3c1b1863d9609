// Plugin args, read once for three uses. A plugin writes one struct:
//
//   struct Args {
//     int64_t seed = 0;                                    // defaults
//     static Args Read(ArgsReader& in) {
//       Args args;
//       in.Get("seed", args.seed);
//       in.Check(args.seed >= 0, "seed", args.seed, "must not be negative");
//       return args;
//     }
//     void Write(JsonWriter& out) const { out.Field("seed", seed); }
//   };
//   static void CompleteArgs(ArgsReader& in, JsonWriter& out) { Args::Read(in).Write(out); }
//   static void CheckArgs(ArgsReader& in) { Args::Read(in); }
//   explicit RandScore(Host& host) : args_(ReadArgs<Args>(host)) {}
//
// CompleteArgs decodes strictly: unknown fields and wrong types are errors there (at the field's path, with the text
// that Go's decoder prints), judgements are not. CheckArgs gets completed args: judgements are errors there, with the
// field's path and the text of Kubernetes' field errors. The constructor reads args that have passed both. JSON null
// counts as absent, as in Go. Cold path, one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/detail/args_decode.hpp"
#include "berth/host.hpp"
#include "berth/json_writer.hpp"
#include "berth/value.hpp"

namespace berth::sdk {

// Reads one object of the args.
class ArgsReader {
 public:
  // go_struct: the struct's name in the decoder's messages ("NodeAffinityArgs"), may be empty.
  ArgsReader(detail::ArgsContext& context, const Host& host, Value value, std::string path = "",
             std::string_view go_struct = "")
      : context_(&context), host_(&host), value_(value), path_(std::move(path)), go_struct_(go_struct) {
    if (value_.is_object()) context_->objects.insert(path_);
  }

  ArgsMode mode() const { return context_->mode; }
  const Value& value() const { return value_; }  // absent when the document has no such object
  bool exists() const { return !value_.is_null(); }
  const Host& host() const { return *host_; }  // offers values and selectors only
  // The outermost struct's name in the decoder's messages.
  void Name(std::string_view go_struct) { go_struct_ = go_struct; }

  // ---- Decoding. Each returns whether the field is present, not null and of the right type; otherwise `out` does not
  // change. T: bool, an integer (range-checked), double, std::string, std::optional<T>, std::vector<T>.
  template <class T>
  bool Get(std::string_view key, T& out, std::string_view go_type = "") {
    const Value field = Know(key);
    if (field.is_null()) return false;
    detail::MaybeMisfit misfit = detail::Decode(field, out);
    if (!misfit) return true;
    if (!go_type.empty()) misfit->wanted = go_type;
    context_->WrongType(Path(key), go_struct_, *misfit);
    return false;
  }
  // A nested object; !exists() when it is absent.
  ArgsReader Object(std::string_view key, std::string_view go_struct = "") {
    return Nested(Know(key), Path(key), go_struct);
  }
  // fn(ArgsReader&, uint32_t i) for each object of an array. Returns whether the field is present.
  template <class Fn>
  bool Each(std::string_view key, Fn&& fn, std::string_view go_struct = "") {
    const Value field = Know(key);
    if (field.is_null()) return false;
    if (!field.is_array()) {
      context_->WrongType(Path(key), go_struct_, {field, GoStruct("[]", go_struct)});
      return false;
    }
    for (uint32_t i = 0; i < field.size(); ++i) {
      ArgsReader item = Nested(field[i], Path(key) + "[" + std::to_string(i) + "]", go_struct);
      fn(item, i);
    }
    return true;
  }
  // A field whose content other code checks: nothing below it counts as unknown.
  Value Raw(std::string_view key) { return Know(key); }

  // ---- Refusing a document for another reason than a type, such as its kind; kept in kDecode mode only. key: as in
  // Judging.
  void Malformed(std::string_view key, std::string text) {
    if (context_->mode == ArgsMode::kDecode) context_->errors.push_back({Path(key), std::move(text)});
  }

  // ---- Judging; kept in kCheck mode only. key is a field, or a path below this object ("resources[0].weight"), or "".
  void Required(std::string_view key, std::string_view detail = "") { Report(key, "Required value", detail); }
  void Forbidden(std::string_view key, std::string_view detail) { Report(key, "Forbidden", detail); }
  template <class T>
  void Invalid(std::string_view key, const T& value, std::string_view detail) {
    Report(key, "Invalid value: " + detail::Shown(value), detail);
  }
  template <class T>
  void Duplicate(std::string_view key, const T& value) {
    Report(key, "Duplicate value: " + detail::Shown(value), "");
  }
  template <class T, class Supported = std::initializer_list<std::string_view>>
  void Unsupported(std::string_view key, const T& value, const Supported& supported) {
    std::string list;
    for (const auto& one : supported) list += (list.empty() ? "supported values: " : ", ") + Quoted(one);
    Report(key, "Unsupported value: " + detail::Shown(value), list);
  }
  // Invalid unless ok.
  template <class T>
  void Check(bool ok, std::string_view key, const T& value, std::string_view detail) {
    if (!ok) Invalid(key, value, detail);
  }
  // Any other judgement, with the caller's text.
  void Report(std::string_view key, std::string text, std::string_view detail = "") {
    if (context_->mode != ArgsMode::kCheck) return;
    if (!detail.empty()) text += ": " + std::string(detail);
    context_->errors.push_back({Path(key), std::move(text)});
  }

  // ---- Selectors, compiled by the host; its errors become judgements below the field's path.
  LabelSelector LabelSelectorAt(std::string_view key) {
    const Value field = Know(key);
    return host_->Selectors().Compile(field, Below(key));
  }
  // Null when absent or wrong.
  const berth_node_affinity* NodeAffinityAt(std::string_view key) {
    const Value field = Know(key);
    if (field.is_null()) return nullptr;
    return host_->Selectors().CompileNodeAffinity(field, Below(key));
  }

 private:
  static std::string GoStruct(const std::string& prefix, std::string_view name) {
    return name.empty() ? "" : prefix + "v1." + std::string(name);
  }
  ArgsReader Nested(Value value, const std::string& path, std::string_view go_struct) {
    if (!value.is_null() && !value.is_object()) {
      context_->WrongType(path, go_struct_, {value, GoStruct("", go_struct)});
      value = Value();
    }
    return {*context_, *host_, value, path, go_struct};
  }
  std::string Path(std::string_view key) const { return detail::ArgsContext::Join(path_, key); }
  Value Know(std::string_view key) {
    context_->fields.insert(Path(key));
    return value_.is_object() ? value_.Get(key) : Value();
  }
  SelectorError Below(std::string_view key) {
    return [this, at = std::string(key)](std::string_view path, std::string_view text) {
      Report(detail::ArgsContext::Join(at, path), std::string(text));
    };
  }

  detail::ArgsContext* context_;
  const Host* host_;
  Value value_;
  std::string path_;
  std::string go_struct_;
};

namespace detail {

// Reads a whole document with fn(ArgsReader&) and returns its errors.
template <class Fn>
std::vector<ArgsError> ReadDocument(const Host& host, const Value& document, ArgsMode mode, Fn&& fn) {
  ArgsContext context{mode, {}, {}, {}, {}};
  ArgsReader reader(context, host, document);
  if (document && !document.is_null() && !document.is_object()) {
    context.WrongType("", "", {document, ""});
  }
  fn(reader);
  context.Finish(document);
  return std::move(context.errors);
}

}  // namespace detail

// The instance's own args, for the plugin's constructor. Throws when a field has the wrong type, which the host's check
// of the configuration has already refused.
template <class A>
A ReadArgs(const Host& host) {
  std::optional<A> args;
  const auto errors =
      detail::ReadDocument(host, host.Args(), ArgsMode::kTrust, [&args](ArgsReader& in) { args.emplace(A::Read(in)); });
  if (!errors.empty()) throw std::invalid_argument("args: " + errors.front().text);
  return *std::move(args);
}

}  // namespace berth::sdk
