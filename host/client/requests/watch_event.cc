#include "client/requests/watch_event.h"

#include "api/protobuf/envelope.h"
#include "codec/json/value.h"

namespace berth::requests {

base::Result<WatchEvent> WatchEvent::Split(std::string_view line) {
  // Go writes the two members in this order and without spaces, so the object need not be parsed to be found.
  constexpr std::string_view kType = R"({"type":")", kObject = R"(","object":{)";
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (!line.starts_with(kType) || !line.ends_with("}}")) return SplitSlowly(line);
  const size_t type_end = line.find_first_of("\"\\", kType.size());  // the parser handles a type with escapes
  if (type_end == std::string_view::npos || type_end == kType.size()) return SplitSlowly(line);
  if (!line.substr(type_end).starts_with(kObject)) return SplitSlowly(line);
  WatchEvent event;
  event.type_ = line.substr(kType.size(), type_end - kType.size());
  event.object_ = line.substr(type_end + kObject.size() - 1);
  event.object_.remove_suffix(1);
  return event;
}

base::Result<WatchEvent> WatchEvent::Of(Encoded event) {
  if (event.encoding == Encoding::kJson) return Split(event.text);
  const auto frame = protobuf::OpenWatchFrame(event.text);
  if (!frame) return base::Fail("a frame of the watch is no event: " + frame.error().message);
  WatchEvent opened;
  opened.type_ = frame->type;
  opened.object_ = frame->message;
  return opened;
}

base::Result<WatchEvent> WatchEvent::SplitSlowly(std::string_view line) {
  const auto parsed = json::Parse(line);
  if (!parsed) return base::Fail("a line of the watch is no JSON: " + parsed.error().message);
  const json::Value* type = parsed->Find("type");
  const json::Value* object = parsed->Find("object");
  if (type == nullptr || !type->is_string() || type->string().empty() || object == nullptr || !object->is_object())
    return base::Fail("a line of the watch has no type and object");
  WatchEvent event;
  event.own_type_ = type->string();
  event.own_object_ = json::Dump(*object);
  return event;
}

Bookmark BookmarkOf(std::string_view object) {
  Bookmark bookmark;
  const auto parsed = json::Parse(object);
  if (!parsed) return bookmark;
  const json::Value* metadata = parsed->Find("metadata");
  if (metadata == nullptr) return bookmark;
  if (const json::Value* version = metadata->Find("resourceVersion")) bookmark.resource_version = version->string();
  if (const json::Value* annotations = metadata->Find("annotations")) {
    const json::Value* end = annotations->Find("k8s.io/initial-events-end");
    bookmark.initial_events_end = end != nullptr && end->string() == "true";
  }
  return bookmark;
}

Bookmark BookmarkOf(Encoded object) {
  if (object.encoding == Encoding::kJson) return BookmarkOf(object.text);
  const protobuf::BookmarkFields fields = protobuf::BookmarkOf(object.text);
  return {std::string(fields.resource_version), fields.initial_events_end};
}

}  // namespace berth::requests
