#include "scheduler/extender/extender_reply.h"

#include <algorithm>
#include <utility>

#include "api/json_reader.h"
#include "scheduler/extender/first_value.h"

namespace berth::extender {
namespace {

using Reader = api::JsonReader;
using Value = Reader::Value;

// Compares without case, ASCII only. key: of the document; name: of the Go type.
bool Is(std::string_view key, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(key.begin(), key.end(), name.begin(), name.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

bool ReadText(Reader& reader, Value value, std::string& out) {
  std::string_view text = out;
  if (!reader.Text(value, text)) return false;
  if (text.data() != out.data()) out = text;  // unchanged if the value is null
  return true;
}

// A field of pointer type: null resets it.
template <class List, class Read>
bool ReadPresent(Reader& reader, Value value, std::optional<List>& out, Read&& read) {
  bool null = false;
  if (!reader.IsNull(value, null)) return false;
  if (null) {
    out.reset();
    return true;
  }
  return read(out.emplace());
}

bool ReadTexts(Reader& reader, Value value, std::vector<std::string>& out) {
  return reader.Array(value, [&](Value element) { return ReadText(reader, element, out.emplace_back()); });
}

bool ReadMessages(Reader& reader, Value value, std::map<std::string, std::string>& out) {
  return reader.Map(value, [&](std::string_view node, Value message) {
    std::string& text = out[std::string(node)];
    text.clear();
    return ReadText(reader, message, text);
  });
}

// The names of a v1.NodeList.
bool ReadNodes(Reader& reader, Value value, std::vector<std::string>& out) {
  const auto read_metadata = [&](std::string_view key, Value field) {
    return !Is(key, "name") || ReadText(reader, field, out.back());
  };
  const auto read_node = [&](std::string_view key, Value field) {
    return !Is(key, "metadata") || reader.Object(field, read_metadata);
  };
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (!Is(key, "items")) return true;
    out.clear();
    return reader.Objects(
        field, [&] { out.emplace_back(); }, read_node);
  });
}

bool ReadFilterField(Reader& reader, std::string_view key, Value value, FilterReply& out) {
  if (Is(key, "Nodes")) {
    return ReadPresent(reader, value, out.nodes, [&](auto& list) { return ReadNodes(reader, value, list); });
  }
  if (Is(key, "NodeNames")) {
    return ReadPresent(reader, value, out.node_names, [&](auto& list) { return ReadTexts(reader, value, list); });
  }
  if (Is(key, "FailedNodes")) return ReadMessages(reader, value, out.failed);
  if (Is(key, "FailedAndUnresolvableNodes")) return ReadMessages(reader, value, out.unresolvable);
  return !Is(key, "Error") || ReadText(reader, value, out.error);
}

bool ReadVictims(Reader& reader, Value value, framework::MetaVictims& out) {
  return reader.Object(value, [&](std::string_view key, Value field) {
    if (Is(key, "NumPDBViolations")) return reader.Int64(field, out.pdb_violations);
    if (!Is(key, "Pods")) return true;
    out.uids.clear();
    return reader.Objects(
        field, [&] { out.uids.emplace_back(); },
        [&](std::string_view name, Value uid) { return !Is(name, "UID") || ReadText(reader, uid, out.uids.back()); });
  });
}

// Calls read(reader, value) for the first value in body. The reader expects an object, so the value is put into one.
template <class T, class Read>
base::Result<T> Decode(std::string_view body, Read&& read) {
  const std::string_view value = FirstValue(body);
  if (value.empty()) return base::Fail(body.find_first_not_of(" \t\r\n") == body.npos ? "EOF" : "unexpected EOF");
  std::string document = "{\"answer\":";
  document.reserve(document.size() + value.size() + 1);
  document += value;
  document += '}';
  Reader& reader = Reader::OfThread();
  T out;
  if (reader.Read(document, [&](std::string_view, Value root) { return read(reader, root, out); })) return out;
  return base::Fail(reader.error());
}

}  // namespace

base::Result<FilterReply> DecodeFilterReply(std::string_view body) {
  return Decode<FilterReply>(body, [](Reader& reader, Value root, FilterReply& out) {
    return reader.Object(root,
                         [&](std::string_view key, Value value) { return ReadFilterField(reader, key, value, out); });
  });
}

base::Result<std::vector<framework::HostPriority>> DecodeScores(std::string_view body) {
  return Decode<std::vector<framework::HostPriority>>(
      body, [](Reader& reader, Value root, std::vector<framework::HostPriority>& out) {
        return reader.Objects(
            root, [&] { out.emplace_back(); },
            [&](std::string_view key, Value value) {
              if (Is(key, "Host")) return ReadText(reader, value, out.back().host);
              return !Is(key, "Score") || reader.Int64(value, out.back().score);
            });
      });
}

base::Result<std::string> DecodeBindReply(std::string_view body) {
  return Decode<std::string>(body, [](Reader& reader, Value root, std::string& out) {
    return reader.Object(
        root, [&](std::string_view key, Value value) { return !Is(key, "Error") || ReadText(reader, value, out); });
  });
}

base::Result<framework::NodeNameToMetaVictims> DecodePreemptionReply(std::string_view body) {
  return Decode<framework::NodeNameToMetaVictims>(
      body, [](Reader& reader, Value root, framework::NodeNameToMetaVictims& out) {
        return reader.Object(root, [&](std::string_view key, Value value) {
          if (!Is(key, "NodeNameToMetaVictims")) return true;
          return reader.Map(value, [&](std::string_view node, Value victims) {
            framework::MetaVictims& of = out[std::string(node)];
            of = {};
            return ReadVictims(reader, victims, of);
          });
        });
      });
}

}  // namespace berth::extender
