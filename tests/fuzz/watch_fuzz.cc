// The stream of a watch: however it is cut into pieces, it must give the same lines, and the event of a line must equal
// the JSON of the line. The first byte of an input decides the cuts.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "client/requests/line_framer.h"
#include "client/requests/watch_event.h"
#include "codec/json/value.h"
#include "require.h"

namespace {

using berth::json::Value;

constexpr size_t kLongestLine = 200;  // short, so that generated lines can be longer

struct Framed {
  std::vector<std::string> lines;
  bool fine = true;
  std::string rest;
  bool operator==(const Framed&) const = default;
};

// longest_piece 0: one piece.
Framed Frame(std::string_view stream, size_t longest_piece, uint32_t seed) {
  berth::requests::LineFramer framer(kLongestLine);
  std::minstd_rand random(seed);
  Framed framed;
  while (framed.fine && !stream.empty()) {
    const size_t n = longest_piece == 0 ? stream.size() : std::min<size_t>(1 + random() % longest_piece, stream.size());
    framed.fine = framer.Feed(stream.substr(0, n), [&](std::string_view line) {
      framed.lines.emplace_back(line);
      return true;
    });
    stream.remove_prefix(n);
  }
  if (framed.fine) framed.rest = framer.rest();
  return framed;
}

bool IsKnownType(std::string_view type) {
  return type == "ADDED" || type == "MODIFIED" || type == "DELETED" || type == "BOOKMARK" || type == "ERROR";
}

void CheckEvent(const std::string& line) {
  const auto event = berth::requests::WatchEvent::Split(line);
  if (!event) return Require(!event.error().message.empty(), "what is refused has a reason");
  (void)berth::requests::BookmarkOf(event->object());
  const auto whole = berth::json::Parse(line);
  const auto object = berth::json::Parse(event->object());
  if (!whole) {  // the reader of the object refuses it, or nobody reads it
    return Require(!object || !IsKnownType(event->type()), "an event whose object is JSON comes from a line that is");
  }
  const Value* type = whole->Find("type");
  const Value* said = whole->Find("object");
  Require(type != nullptr && said != nullptr && said->is_object(), "an event has type and object");
  Require(event->type() == type->string(), "the type is the one of the JSON");
  // A third member, which no server sends, may leave a part in the object's text, and then the object is refused.
  Require(!object || *object == *said, "the object is the one of the JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Framed whole = Frame(stream, 0, 1);
  for (const size_t longest_piece : {size_t{1}, size_t{3}, size_t{60}}) {
    Require(Frame(stream, longest_piece, data[0] + 1u) == whole, "cuts make no difference");
  }
  for (const std::string& line : whole.lines) CheckEvent(line);
  return 0;
}
