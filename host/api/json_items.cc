#include "api/json_items.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

namespace berth::api {
namespace {

namespace ondemand = simdjson::ondemand;

std::string TextOf(ondemand::object& object, std::string_view key) {
  std::string_view text;
  if (object.find_field_unordered(key).get_string().get(text) != simdjson::SUCCESS) return "";
  return std::string(text);
}

// Reads the identity of an item without decoding it. raw is part of a padded text.
bool Peek(ondemand::parser& parser, std::string_view raw, JsonItem& item) {
  ondemand::document document;
  ondemand::object object, metadata;
  const simdjson::padded_string_view padded(raw.data(), raw.size(), raw.size() + simdjson::SIMDJSON_PADDING);
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return false;
  if (document.get_object().get(object) != simdjson::SUCCESS) return false;
  if (std::string kind = TextOf(object, "kind"); !kind.empty()) item.kind = std::move(kind);
  if (object.find_field_unordered("metadata").get_object().get(metadata) != simdjson::SUCCESS) return true;
  item.has_uid = !TextOf(metadata, "uid").empty();
  return true;
}

tl::unexpected<base::Error> Malformed(simdjson::error_code code) {
  return base::Fail(std::string("malformed JSON: ") + simdjson::error_message(code));
}

}  // namespace

base::Result<bool> ForEachJsonItem(std::string_view json,
                                   const std::function<base::Result<void>(const JsonItem&)>& item) {
  const simdjson::padded_string text(json);
  ondemand::parser parser, peeking;
  ondemand::document document;
  ondemand::object root;
  if (const auto code = parser.iterate(text).get(document); code != simdjson::SUCCESS) return Malformed(code);
  if (document.get_object().get(root) != simdjson::SUCCESS) return false;
  std::string item_kind = TextOf(root, "kind");
  if (!item_kind.ends_with("List")) return false;
  item_kind.resize(item_kind.size() - 4);
  if (const auto code = root.reset().error(); code != simdjson::SUCCESS) return Malformed(code);
  ondemand::array items;
  if (root.find_field_unordered("items").get_array().get(items) != simdjson::SUCCESS) return false;
  size_t index = 0;
  for (auto element : items) {
    ondemand::object object;
    std::string_view raw;
    if (const auto code = element.get_object().get(object); code != simdjson::SUCCESS) {
      return base::Fail("items[" + std::to_string(index) + "]: " + simdjson::error_message(code));
    }
    if (const auto code = object.raw_json().get(raw); code != simdjson::SUCCESS) return Malformed(code);
    JsonItem found{raw, index, item_kind, false};
    if (!Peek(peeking, raw, found)) return base::Fail("items[" + std::to_string(index) + "]: malformed JSON");
    if (auto done = item(found); !done) return tl::unexpected(done.error());
    ++index;
  }
  return true;
}

ObjectIdentity IdentityOf(std::string_view json) {
  const simdjson::padded_string text(json);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object root, metadata;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return {};
  if (document.get_object().get(root) != simdjson::SUCCESS) return {};
  if (root.find_field_unordered("metadata").get_object().get(metadata) != simdjson::SUCCESS) return {};
  const std::string ns = TextOf(metadata, "namespace"), name = TextOf(metadata, "name");
  return {ns.empty() || name.empty() ? name : ns + "/" + name, TextOf(metadata, "resourceVersion")};
}

ListMetadata ListMetadataOf(std::string_view json) {
  const simdjson::padded_string text(json);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object root, metadata;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return {};
  if (document.get_object().get(root) != simdjson::SUCCESS) return {};
  if (root.find_field_unordered("metadata").get_object().get(metadata) != simdjson::SUCCESS) return {};
  return {TextOf(metadata, "resourceVersion"), TextOf(metadata, "continue")};
}

}  // namespace berth::api
