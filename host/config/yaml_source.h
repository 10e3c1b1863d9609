// The text of a YAML stream itself, looked at before and beside yaml-cpp 0.7, which lets some broken texts pass in
// silence and with half of their content. Thread: any; borrows the text.
#pragma once

#include <optional>
#include <string_view>

#include "json/value.h"

namespace berth::config {

struct BadCharacter {
  json::Mark mark;
  const char* reason;
};

// Printable characters, tab and line ends, all of it UTF-8, are fine; Go's reader refuses everything else.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// Line breaks that are neither LF nor CRLF: what they end is one line to yaml-cpp and two to Go's reader, so that the
// same file would mean two things.
std::optional<BadCharacter> FindOddLineBreak(std::string_view text);

// Positions are yaml-cpp's: offsets that do not count a byte order mark.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  // The document found at the position was announced by "---", or the one before it closed by "...".
  bool StartsDocument(int position) const;
  // The plain key that begins there is followed by ':'. True as well for keys that are not simply there to be seen:
  // quoted, tagged, or behind '?'.
  bool HasColonAfter(int position, std::string_view key) const;
  // The quoted string that begins there ends somewhere. True as well when none begins there.
  bool IsQuoteClosed(int position) const;

 private:
  std::string_view Before(int position) const;
  std::string_view From(int position) const;

  std::string_view text_;
};

}  // namespace berth::config
