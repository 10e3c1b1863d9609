#include "reload/canary/parsed_source_json.h"

#include <charconv>
#include <string>
#include <utility>

namespace berth::canary {
namespace {

using json::Value;

// A value is an array: line and column of the value, line and column of its key, a tag, and the members that the tag
// requires. Children follow in the same array, so that nesting grows no deeper than it is in the file.
constexpr const char* kList = "list";      // then the elements
constexpr const char* kMembers = "map";    // then key, value, key, value...
constexpr const char* kScalar = "scalar";  // then the value
constexpr const char* kDouble = "double";  // then its text: in JSON a whole double would come back as an integer
constexpr size_t kHead = 5;

std::string DoubleText(double number) {
  char text[64];
  const auto end = std::to_chars(std::begin(text), std::end(text), number);
  return {text, end.ptr};
}

const char* TagOf(const Value& value) {
  if (value.is_array()) return kList;
  if (value.is_object()) return kMembers;
  return value.kind() == json::Kind::kNumber && value.beyond_int64() == 0 ? kDouble : kScalar;
}

Value NodeOf(const Value& value) {
  Value node{json::Array{value.mark().line, value.mark().column, value.key_mark().line, value.key_mark().column,
                         TagOf(value)}};
  if (value.is_array()) {
    for (const Value& element : value.array()) node.Append(NodeOf(element));
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.object()) {
      node.Append(key);
      node.Append(NodeOf(member));
    }
  } else if (node.array().back().string() == kDouble) {
    node.Append(DoubleText(value.number()));
  } else {
    node.Append(value);
  }
  return node;
}

class NodeReader {
 public:
  bool failed() const { return failed_; }

  Value Read(const Value& node) {
    const json::Array& parts = node.array();
    if (parts.size() < kHead) return Fail();
    Value value = Content(parts, parts[kHead - 1].string());
    value.set_mark({static_cast<int>(parts[0].integer()), static_cast<int>(parts[1].integer())});
    value.set_key_mark({static_cast<int>(parts[2].integer()), static_cast<int>(parts[3].integer())});
    return value;
  }

 private:
  Value Fail() {
    failed_ = true;
    return {};
  }

  Value Content(const json::Array& parts, const std::string& tag) {
    if (tag == kList) {
      json::Array elements;
      for (size_t i = kHead; i < parts.size(); ++i) elements.push_back(Read(parts[i]));
      return elements;
    }
    if (tag == kMembers) {
      json::Object members;
      for (size_t i = kHead; i + 1 < parts.size(); i += 2) members.emplace_back(parts[i].string(), Read(parts[i + 1]));
      return members;
    }
    if (parts.size() != kHead + 1) return Fail();
    const Value& content = parts[kHead];
    if (tag == kDouble) return Double(content.string());
    return tag == kScalar ? content : Fail();
  }

  Value Double(const std::string& text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() ? Value(number) : Fail();
  }

  bool failed_ = false;
};

}  // namespace

Value ToValue(const config::ParsedSource& source) {
  Value documents{json::Array()};
  for (const auto& document : source.documents) documents.Append(NodeOf(document.root));
  return Value::MakeObject({{"name", source.name}, {"documents", std::move(documents)}});
}

base::Result<config::ParsedSource> ParsedSourceOf(const Value& value) {
  config::ParsedSource source{json::TextAt(value, "name"), {}, {}};
  const Value* documents = value.Find("documents");
  NodeReader reader;
  for (const Value& root : documents == nullptr ? json::Array() : documents->array()) {
    source.documents.push_back({reader.Read(root), {}});
  }
  if (documents == nullptr || reader.failed()) return base::Fail("this is no parsed configuration file");
  return source;
}

}  // namespace berth::canary
