#include "codec/yaml/yaml_documents.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <istream>
#include <streambuf>
#include <unordered_map>

#include "codec/json/tree_builder.h"
#include "codec/yaml/yaml_scalar.h"
#include "codec/yaml/yaml_source.h"

namespace berth::yaml {
namespace {

using json::Mark;
using json::Value;

Mark MarkOf(const YAML::Mark& mark) { return mark.is_null() ? Mark{} : Mark{mark.line + 1, mark.column + 1}; }

// The handler below throws it through yaml-cpp; this file catches it.
struct Refusal {
  YamlFault fault;
};

[[noreturn]] void Refuse(Mark mark, std::string reason) { throw Refusal{{mark, std::move(reason)}}; }

size_t CountNodes(const Value& value) {
  size_t nodes = 1;
  for (const Value& element : value.array()) nodes += CountNodes(element);
  for (const json::Member& member : value.object()) nodes += CountNodes(member.second);
  return nodes;
}

// Reads from memory without a copy; yaml-cpp requires a stream.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

const char* KindOf(const Value& value) { return value.is_null() ? "null" : value.is_array() ? "a list" : "a map"; }

class Handler : public YAML::EventHandler {
 public:
  Handler(std::string_view text, const YamlLimits& limits)
      : source_(text), limits_(limits), alias_nodes_left_(limits.max_alias_nodes) {
    Reset();
  }

  // The document read since the last call; empty when there was none.
  std::optional<YamlDocument> Take() {
    std::optional<YamlDocument> document;
    if (has_root_) document = YamlDocument{tree_->Take(), tree_->duplicates()};
    Reset();
    return document;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    // At text that cannot start a value, yaml-cpp reports empty documents without end and does not advance.
    const bool stuck = documents_ > 0 && mark.pos == document_pos_;
    document_pos_ = mark.pos;
    if (documents_++ > 0 && (stuck || !source_.StartsDocument(mark.pos))) {
      Refuse(MarkOf(mark), "neither part of the value above nor a new document, which begins with ---");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!open_.empty() && open_.back().is_block_map && !ExpectsKey() && !source_.HasColonAfter(key_pos_, key_text_)) {
      Refuse(key_mark_, "could not find expected ':'");
    }
    Scalar(Value(), MarkOf(mark), anchor, false);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    const Mark at = MarkOf(mark);
    if (ExpectsKey()) {
      key_pos_ = mark.pos;
      key_text_ = text;
      key_mark_ = at;
    }
    if (!source_.IsQuoteClosed(mark.pos)) Refuse(at, "found unexpected end of stream in a quoted string");
    if (tag == "?") return Scalar(PlainScalar(text), at, anchor, text == "<<");
    if (tag == "!") return Scalar(Value(text), at, anchor, false);
    base::Result<Value> value = TaggedScalar(tag, text);
    if (!value) Refuse(at, value.error().message);
    Scalar(std::move(*value), at, anchor, tag == "tag:yaml.org,2002:merge" && text == "<<");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Mark at = MarkOf(mark);
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) Refuse(at, "an anchor's value contains itself");
    Spend(found->second.nodes, at);
    Value copy = found->second.value;
    copy.set_mark(at);
    if (ExpectsKey()) return Key(copy, at, false);
    Deliver(std::move(copy), at);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(false, MarkOf(mark), anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    Open(true, MarkOf(mark), anchor);
    open_.back().is_block_map = style == YAML::EmitterStyle::Block;
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Container {
    bool is_map = false;
    bool expects_key = false;
    bool is_block_map = false;
    bool merges = false;  // the next value belongs to a merge key
    YAML::anchor_t anchor = YAML::NullAnchor;
  };
  struct Anchored {
    Value value;
    size_t nodes = 0;
  };

  void Reset() {
    tree_.emplace(limits_.max_depth);
    open_.clear();
    anchors_.clear();
    has_root_ = false;
  }
  bool ExpectsKey() const { return !open_.empty() && open_.back().expects_key; }

  void Spend(size_t nodes, Mark mark) {
    if (nodes > alias_nodes_left_) Refuse(mark, "document contains excessive aliasing");
    alias_nodes_left_ -= nodes;
  }
  void Keep(YAML::anchor_t anchor, const Value& value) {
    if (anchor == YAML::NullAnchor) return;
    const size_t nodes = CountNodes(value);
    Spend(nodes, value.mark());
    anchors_[anchor] = {value, nodes};
  }

  void Scalar(Value value, Mark mark, YAML::anchor_t anchor, bool is_merge) {
    if (value.kind() == json::Kind::kNumber && !std::isfinite(value.number())) {
      Refuse(mark, "infinities and NaN have no place in JSON, nor in Kubernetes objects");
    }
    value.set_mark(mark);
    Keep(anchor, value);
    if (ExpectsKey()) return Key(value, mark, is_merge);
    Deliver(std::move(value), mark);
  }

  void Key(const Value& key, Mark mark, bool is_merge) {
    if (key.is_null() || key.is_array() || key.is_object())
      Refuse(mark, std::string("invalid map key: ") + KindOf(key));
    open_.back().expects_key = false;
    open_.back().merges = is_merge;
    tree_->Key(KeyText(key), mark);
  }

  // Adds a complete scalar or alias.
  void Deliver(Value value, Mark mark) {
    has_root_ = true;
    tree_->Add(std::move(value));
    Placed(mark);
  }

  void Open(bool is_map, Mark mark, YAML::anchor_t anchor) {
    if (ExpectsKey()) Refuse(mark, "invalid map key: a list or map cannot name a member (is a bracket left open?)");
    has_root_ = true;
    const bool fits = is_map ? tree_->StartObject(mark) : tree_->StartArray(mark);
    if (!fits) Refuse(mark, "nested more than " + std::to_string(limits_.max_depth) + " deep");
    open_.push_back({});
    open_.back().is_map = is_map;
    open_.back().expects_key = is_map;
    open_.back().anchor = anchor;
  }

  void Close() {
    const YAML::anchor_t anchor = open_.back().anchor;
    open_.pop_back();
    const Value& value = tree_->End();
    const Mark mark = value.mark();
    Keep(anchor, value);
    Placed(mark);
  }

  // After a value was added to the innermost container: expands a merge; a map expects a key next.
  void Placed(Mark mark) {
    if (open_.empty() || !open_.back().is_map) return;
    open_.back().expects_key = true;
    if (!open_.back().merges) return;
    open_.back().merges = false;
    Value merged = tree_->TakeLast();
    if (!merged.is_array()) return Merge(std::move(merged), mark);
    Value list = std::move(merged);  // earlier maps win, so they come last
    for (size_t i = list.array().size(); i-- > 0;) Merge(std::move(list.mutable_array()[i]), mark);
  }

  void Merge(Value map, Mark mark) {
    if (!map.is_object()) Refuse(mark, "map merge requires map or sequence of maps as the value");
    for (json::Member& member : map.mutable_object()) {
      tree_->Key(member.first, mark);
      tree_->Add(std::move(member.second));
    }
  }

  SourceText source_;
  const YamlLimits& limits_;
  size_t alias_nodes_left_;
  int documents_ = 0;
  int document_pos_ = 0;  // of the latest document
  int key_pos_ = 0;       // of the latest scalar key
  std::string key_text_;
  Mark key_mark_;
  std::optional<json::TreeBuilder> tree_;
  std::vector<Container> open_;
  std::unordered_map<YAML::anchor_t, Anchored> anchors_;
  bool has_root_ = false;
};

// The text after the first blanks: '{' starts JSON, or YAML in flow style; '{"' is taken for JSON.
std::string_view Opening(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  const bool brace = first < text.size() && text[first] == '{';
  const size_t second = brace ? text.find_first_not_of(kBlanks, first + 1) : std::string_view::npos;
  if (second == std::string_view::npos) return {};
  return text[second] == '"' ? "{\"" : "{";
}

// A fault from the text of a json::Parse error: "line 2, column 7: reason".
YamlFault JsonFault(const std::string& message) {
  YamlFault fault{{}, message};
  int length = 0;
  if (std::sscanf(message.c_str(), "line %d, column %d: %n", &fault.mark.line, &fault.mark.column, &length) == 2) {
    fault.reason = message.substr(static_cast<size_t>(length));
  }
  return fault;
}

bool LaterMark(const json::DuplicateKey& a, const json::DuplicateKey& b) {
  return std::pair(a.mark.line, a.mark.column) < std::pair(b.mark.line, b.mark.column);
}

std::string OneLine(std::string text) {
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

std::string Located(const std::string& name, Mark mark, const std::string& reason) {
  return name + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column) + ": " + reason;
}

void Hand(YamlDocument document, const std::function<void(YamlDocument)>& sink) {
  if (document.root.is_null()) return;
  std::stable_sort(document.duplicates.begin(), document.duplicates.end(), LaterMark);
  sink(std::move(document));
}

std::optional<YamlFault> ReadAsYaml(std::string_view text, const YamlLimits& limits,
                                    const std::function<void(YamlDocument)>& sink) {
  if (const auto odd = FindOddLineBreak(text)) return YamlFault{odd->mark, odd->reason};
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  Handler handler(text, limits);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(handler)) {
      if (std::optional<YamlDocument> document = handler.Take()) Hand(std::move(*document), sink);
    }
  } catch (const Refusal& refusal) {
    return refusal.fault;
  } catch (const YAML::Exception& fault) {
    return YamlFault{MarkOf(fault.mark), OneLine(fault.msg)};
  }
  return std::nullopt;
}

}  // namespace

std::string Unquoted(std::string_view reason) {
  // nlohmann's "; last read: '...'" and "number overflow parsing '...'" end what they say; "`...`" is our own.
  for (const std::string_view quotes : {"; last read", " parsing '"}) reason = reason.substr(0, reason.find(quotes));
  std::string text(reason);
  const size_t begin = text.find(" `"), end = text.rfind('`');
  if (begin != std::string::npos) text.erase(begin, end + 1 - begin);
  return text;
}

std::optional<YamlFault> ForEachYamlDocument(std::string_view text, const YamlLimits& limits,
                                             const std::function<void(YamlDocument)>& sink) {
  if (text.size() > limits.max_bytes) {
    return YamlFault{{1, 1}, "larger than the " + std::to_string(limits.max_bytes) + " bytes allowed"};
  }
  if (const auto bad = FindBadCharacter(text)) return YamlFault{bad->mark, bad->reason};
  const std::string_view opening = Opening(text);
  std::optional<YamlFault> json_fault;
  if (!opening.empty()) {
    YamlDocument document;
    base::Result<Value> root = json::ParseCollecting(text, document.duplicates);
    if (root) {
      document.root = std::move(*root);
      Hand(std::move(document), sink);
      return std::nullopt;
    }
    json_fault = JsonFault(root.error().message);
  }
  std::optional<YamlFault> fault = ReadAsYaml(text, limits, sink);
  return fault && opening == "{\"" ? json_fault : fault;
}

base::Result<std::vector<Value>> ReadYaml(std::string_view text, const std::string& name, const YamlLimits& limits) {
  std::vector<Value> documents;
  std::optional<json::DuplicateKey> duplicate;
  const auto fault = ForEachYamlDocument(text, limits, [&](YamlDocument document) {
    if (!duplicate && !document.duplicates.empty()) duplicate = document.duplicates.front();
    documents.push_back(std::move(document.root));
  });
  if (duplicate) {
    return base::Fail(
        Located(name, duplicate->mark, duplicate->path + ": key \"" + duplicate->key + "\" already set in map"));
  }
  if (fault) return base::Fail(Located(name, fault->mark, fault->reason));
  return documents;
}

}  // namespace berth::yaml
