// One event of a watch: a line {"type":"ADDED","object":{...}}, or a frame of protobuf. Thread: any. Ownership: views
// of the line or frame, or of the event's own copy when the line does not have the API server's layout.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "client/requests/encoding.h"

namespace berth::requests {

class WatchEvent {
 public:
  // The error says that the line is no watch event.
  static base::Result<WatchEvent> Split(std::string_view line);
  // A line or a frame. The object has the same encoding, without an envelope.
  static base::Result<WatchEvent> Of(Encoded event);

  // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
  std::string_view type() const { return own_type_.empty() ? type_ : own_type_; }
  std::string_view object() const { return own_type_.empty() ? object_ : own_object_; }

 private:
  static base::Result<WatchEvent> SplitSlowly(std::string_view line);

  std::string own_type_, own_object_;  // in place of the views when the line could not be cut
  std::string_view type_, object_;
};

// The content of a BOOKMARK.
struct Bookmark {
  std::string resource_version;
  bool initial_events_end = false;  // the initial list is complete
};
Bookmark BookmarkOf(std::string_view object);
Bookmark BookmarkOf(Encoded object);

}  // namespace berth::requests
