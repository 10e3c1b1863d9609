#include "codec/yaml/yaml_source.h"

#include <algorithm>

#include "codec/json/utf8.h"

namespace berth::yaml {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Removes "!tag" and "&anchor" from the front.
std::string_view SkipProperties(std::string_view text) {
  while (!text.empty() && (text.front() == '!' || text.front() == '&')) {
    text.remove_prefix(std::min(text.find_first_of(kBlanks), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  }
  return text;
}

// Blank, or only a comment.
bool SaysNothing(std::string_view line) {
  const size_t first = line.find_first_not_of(kBlanks);
  return first == std::string_view::npos || line[first] == '#';
}

}  // namespace

std::optional<BadCharacter> FindBadCharacter(std::string_view text) {
  json::Mark mark{1, 1};
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      ++i;
      mark = {mark.line + 1, 1};
      continue;
    }
    const bool fine = (c >= 0x20 && c < 0x7F) || c == '\t' || c == '\r';
    if (!fine && c < 0x80) return BadCharacter{mark, "control characters are not allowed"};
    const size_t length = fine ? 1 : json::SequenceLength(text.substr(i));
    if (length == 0) return BadCharacter{mark, "invalid UTF-8"};
    i += length;
    ++mark.column;
  }
  return std::nullopt;
}

std::optional<BadCharacter> FindOddLineBreak(std::string_view text) {
  constexpr std::string_view kOthers[] = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};  // NEL, LS, PS
  json::Mark mark{1, 1};
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const bool odd = rest.front() == '\r'
                         ? !rest.starts_with("\r\n")
                         : std::any_of(std::begin(kOthers), std::end(kOthers),
                                       [&](std::string_view other) { return rest.starts_with(other); });
    if (odd) return BadCharacter{mark, "a line break that is neither LF nor CRLF"};
    const auto c = static_cast<unsigned char>(rest.front());
    mark = c == '\n' ? json::Mark{mark.line + 1, 1} : json::Mark{mark.line, mark.column + ((c & 0xC0) != 0x80)};
  }
  return std::nullopt;
}

SourceText::SourceText(std::string_view text) : text_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text) {}

std::string_view SourceText::Before(int position) const {
  return text_.substr(0, std::min(static_cast<size_t>(std::max(position, 0)), text_.size()));
}

std::string_view SourceText::From(int position) const { return text_.substr(Before(position).size()); }

bool SourceText::StartsDocument(int position) const {
  if (From(position).starts_with("---")) return true;
  std::string_view before = Before(position);
  while (!before.empty()) {  // the nearest line above with content
    const size_t line_break = before.rfind('\n');
    const std::string_view line = before.substr(line_break == std::string_view::npos ? 0 : line_break + 1);
    if (!SaysNothing(line)) return line.starts_with("...") || line.starts_with("---");
    before = before.substr(0, line_break == std::string_view::npos ? 0 : line_break);
  }
  return false;
}

bool SourceText::HasColonAfter(int position, std::string_view key) const {
  const std::string_view rest = From(position);
  const std::string_view before = Before(position);
  const size_t previous = before.find_last_not_of(kBlanks);
  const bool explicit_key = previous != std::string_view::npos && before[previous] == '?';
  if (explicit_key || key.empty() || !rest.starts_with(key.front())) return true;
  if (!rest.starts_with(key)) return false;  // it continues in the next line, which is not valid for a key
  const size_t next = rest.find_first_not_of(" \t", key.size());
  return next != std::string_view::npos && rest[next] == ':';
}

bool SourceText::IsQuoteClosed(int position) const {
  const std::string_view rest = SkipProperties(From(position));
  if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return true;
  const char quote = rest.front();
  for (size_t i = 1; i < rest.size(); ++i) {
    const bool escaped = quote == '"' ? rest[i] == '\\' : rest.substr(i).starts_with("''");
    if (escaped) {
      ++i;
    } else if (rest[i] == quote) {
      return true;
    }
  }
  return false;
}

}  // namespace berth::yaml
