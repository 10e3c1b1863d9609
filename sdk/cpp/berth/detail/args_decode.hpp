// Decodes one field of plugin args into a C++ value, with the error texts of Go's JSON decoder.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/value.hpp"

namespace berth::sdk {

// One error in args.
struct ArgsError {
  std::string path;  // relative to the args; "" for the args themselves
  std::string text;
};

enum class ArgsMode { kDecode, kCheck, kTrust };

// strconv.Quote for the texts that occur in configuration: quotes, backslashes and control characters are escaped.
inline std::string Quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += '\\', out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += "\\x", out += kHex[c >> 4], out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out += '"';
}

namespace detail {

// A value as a field error shows it: numbers and booleans bare, texts quoted.
template <class T>
std::string Shown(const T& value) {
  if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::integral<T> || std::floating_point<T>) {
    char digits[40];
    return {digits, std::to_chars(digits, digits + sizeof(digits), value).ptr};
  } else {
    return Quoted(value);
  }
}

// Why a value does not fit: the found type, and the expected Go type.
struct Misfit {
  Value met;
  std::string wanted;

  std::string Met() const {
    switch (met.kind()) {
      case BERTH_VALUE_BOOL: return "bool";
      case BERTH_VALUE_STRING: return "string";
      case BERTH_VALUE_ARRAY: return "array";
      case BERTH_VALUE_OBJECT: return "object";
      case BERTH_VALUE_INT:
      case BERTH_VALUE_NUMBER:
        if (!wanted.starts_with("int") && !wanted.starts_with("uint")) return "number";
        return "number " + (met.is_int() ? Shown(met.AsInt()) : Shown(met.AsNumber()));
      default: return "null";
    }
  }
};
using MaybeMisfit = std::optional<Misfit>;

inline MaybeMisfit Decode(const Value& from, bool& out) {
  if (!from.is_bool()) return Misfit{from, "bool"};
  out = from.AsBool();
  return {};
}
inline MaybeMisfit Decode(const Value& from, std::string& out) {
  if (!from.is_string()) return Misfit{from, "string"};
  out = from.AsString();
  return {};
}
inline MaybeMisfit Decode(const Value& from, double& out) {
  if (!from.is_number()) return Misfit{from, "float64"};
  out = from.AsNumber();
  return {};
}
template <std::integral N>
MaybeMisfit Decode(const Value& from, N& out) {
  if (!from.is_int() || !std::in_range<N>(from.AsInt())) {
    return Misfit{from, (std::signed_integral<N> ? "int" : "uint") + std::to_string(sizeof(N) * 8)};
  }
  out = static_cast<N>(from.AsInt());
  return {};
}
template <class T>
MaybeMisfit Decode(const Value& from, std::optional<T>& out) {
  T value{};
  if (MaybeMisfit misfit = Decode(from, value)) return misfit;
  out = std::move(value);
  return {};
}
template <class T>
MaybeMisfit Decode(const Value& from, std::vector<T>& out) {
  std::vector<T> items;
  for (uint32_t i = 0; i < (from.is_array() ? from.size() : 0); ++i) {
    T item{};
    if (!from[i].is_null()) {
      if (MaybeMisfit misfit = Decode(from[i], item)) return misfit;
    }
    items.push_back(std::move(item));
  }
  if (!from.is_array()) return Misfit{from, "[]" + Decode(Value(), items.emplace_back())->wanted};
  out = std::move(items);
  return {};
}

// The data that all readers of one document share.
struct ArgsContext {
  ArgsMode mode;
  std::vector<ArgsError> errors;             // judgements, in the order in which they were made
  std::set<std::string> fields;              // paths that were requested
  std::set<std::string> objects;             // paths of objects whose fields are all known
  std::map<std::string, std::string> types;  // path -> the decoder's error about its type

  // The path of a field below the object at `path`.
  static std::string Join(const std::string& path, std::string_view key) {
    if (key.empty()) return path;
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  }

  // Notes that the field at `path` of a struct does not fit. Array indexes are not part of Go's field names.
  void WrongType(const std::string& path, const std::string& go_struct, const Misfit& misfit) {
    std::string field;
    for (size_t i = 0, depth = 0; i < path.size(); ++i) {
      depth += path[i] == '[';
      if (depth == 0) field += path[i];
      depth -= path[i] == ']';
    }
    std::string text = "json: cannot unmarshal " + misfit.Met() + " into ";
    if (field.empty()) {
      text += go_struct.empty() ? "the args, which are an object" : "Go value of type " + misfit.wanted;
    } else if (go_struct.empty()) {
      text += "field " + Quoted(field) + (misfit.wanted.empty() ? "" : " of type " + misfit.wanted);
    } else {
      text += "Go struct field " + go_struct + "." + field + " of type " + misfit.wanted;
    }
    types.emplace(path, std::move(text));
  }

  // Adds all errors of the decoder, each at its path, in the document's order. (Go's decoder stops at the first error.)
  void Finish(const Value& root) {
    std::vector<ArgsError> found;
    Walk(root, "", found);
    errors.insert(errors.begin(), found.begin(), found.end());
  }

 private:
  void Walk(const Value& value, const std::string& path, std::vector<ArgsError>& found) const {
    if (const auto type = types.find(path); type != types.end()) {
      found.push_back({path, type->second});
    } else if (value.is_array()) {
      for (uint32_t i = 0; i < value.size(); ++i) {
        Walk(value[i], path + "[" + std::to_string(i) + "]", found);
      }
    } else if (value.is_object() && objects.contains(path)) {
      for (uint32_t i = 0; i < value.size(); ++i) {
        const std::string child = Join(path, value.KeyAt(i));
        if (fields.contains(child)) {
          Walk(value[i], child, found);
        } else if (mode == ArgsMode::kDecode && child != "apiVersion" && child != "kind") {
          found.push_back({child, "unknown field " + Quoted(value.KeyAt(i))});
        }
      }
    }
  }
};

}  // namespace detail
}  // namespace berth::sdk
