// Checks of the text of a YAML stream before and beside yaml-cpp 0.7, which silently accepts some broken texts and
// drops half of their content. Thread: any; borrows the text.
#pragma once

#include <optional>
#include <string_view>

#include "codec/json/value.h"

namespace berth::yaml {

struct BadCharacter {
  json::Mark mark;
  const char* reason;
};

// Accepts printable characters, tab and line ends in UTF-8; Go's reader rejects everything else.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// Finds line breaks that are neither LF nor CRLF. yaml-cpp and Go's reader disagree on them, so that the same file
// would have two meanings.
std::optional<BadCharacter> FindOddLineBreak(std::string_view text);

// Positions are those of yaml-cpp: offsets without a byte order mark.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  // Whether "---" starts the document at the position, or "..." ended the one before.
  bool StartsDocument(int position) const;
  // Whether ':' follows the plain key at the position. Also true for other keys: quoted, tagged, or after '?'.
  bool HasColonAfter(int position, std::string_view key) const;
  // Whether the quoted string at the position is closed. Also true when no quoted string starts there.
  bool IsQuoteClosed(int position) const;

 private:
  std::string_view Before(int position) const;
  std::string_view From(int position) const;

  std::string_view text_;
};

}  // namespace berth::yaml
