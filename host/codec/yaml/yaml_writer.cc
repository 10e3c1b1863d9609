#include "codec/yaml/yaml_writer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "codec/json/utf8.h"
#include "codec/text/number.h"
#include "codec/yaml/yaml_key_order.h"
#include "codec/yaml/yaml_scalar.h"

namespace berth::yaml {
namespace {

using json::Value;

enum class Style { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

// One character of a string, as the emitter classifies it.
struct Rune {
  std::string_view bytes;
  char32_t code = 0;
  bool printable = false;
};

Rune NextRune(std::string_view text) {
  const size_t length = std::max<size_t>(1, json::SequenceLength(text));
  const auto lead = static_cast<unsigned char>(text.front());
  char32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  // libyaml's definition, without the line separators, which only its quoted styles can contain.
  const bool ascii = code == '\n' || (code >= 0x20 && code <= 0x7E);
  const bool beyond = code >= 0xA0 && code <= 0xFFFD && code != 0xFEFF && code != 0x2028 && code != 0x2029;
  return {text.substr(0, length), code, ascii || beyond};
}

std::vector<Rune> RunesOf(std::string_view text) {
  std::vector<Rune> runes;
  for (; !text.empty(); text.remove_prefix(runes.back().bytes.size())) runes.push_back(NextRune(text));
  return runes;
}

// The properties that prevent the plain, single-quoted or literal style (yaml_emitter_analyze_scalar).
struct Analysis {
  bool indicators = false;  // characters with a meaning in YAML at their position
  bool special = false;     // characters that must be escaped
  bool edge_space = false;  // at the start or the end
  bool trailing_space = false;
  bool space_break = false;  // a blank before a line break
};

bool IsIndicator(const std::vector<Rune>& runes, size_t i) {
  const char32_t c = runes[i].code;
  const auto is_blank = [&](size_t at) { return runes[at].code == ' ' || runes[at].code == '\t'; };
  const bool blank_follows = i + 1 >= runes.size() || is_blank(i + 1);
  if (i == 0) {
    if (c < 0x80 && std::string_view("#,[]{}&*!|>'\"%@`").find(static_cast<char>(c)) != std::string_view::npos)
      return true;
    return (c == '?' || c == ':' || c == '-') && blank_follows;
  }
  if (c == ':') return blank_follows;
  return c == '#' && (is_blank(i - 1) || runes[i - 1].code == '\n');
}

Analysis Analyze(std::string_view text, const std::vector<Rune>& runes) {
  Analysis found;
  found.indicators = text.starts_with("---") || text.starts_with("...");
  for (size_t i = 0; i < runes.size(); ++i) {
    if (IsIndicator(runes, i)) found.indicators = true;
    if (!runes[i].printable) found.special = true;
    if (runes[i].code == '\n' && i > 0 && runes[i - 1].code == ' ') found.space_break = true;
  }
  found.trailing_space = text.ends_with(' ');
  found.edge_space = text.starts_with(' ') || found.trailing_space;
  return found;
}

Style ChooseStyle(std::string_view text, const std::vector<Rune>& runes, bool is_key) {
  const Analysis found = Analyze(text, runes);
  if (text.find('\n') != std::string_view::npos) {
    const bool literal = !is_key && !found.trailing_space && !found.space_break && !found.special;
    return literal ? Style::kLiteral : Style::kDoubleQuoted;
  }
  if (!StaysString(text) || found.special) return Style::kDoubleQuoted;
  return found.indicators || found.edge_space ? Style::kSingleQuoted : Style::kPlain;
}

// A number that YAML's readers do not accept, such as infinity, is written as C++ writes it.
std::string FloatOf(double number) {
  if (std::isfinite(number)) return text::FloatText(number);
  return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
}

class Writer {
 public:
  std::string Write(const Value& value) {
    WriteNode(value, -2, false);
    EndLine();
    return std::move(out_);
  }

 private:
  static constexpr size_t kBestWidth = 80;
  static constexpr size_t kSimpleKeyLength = 128;  // longer keys, and those of several lines, are written as "? key"

  void Put(std::string_view text) {
    out_ += text;
    for (char c : text) column_ += (c & 0xC0) == 0x80 ? 0 : 1;
  }
  void Break() {
    out_ += '\n';
    column_ = 0;
  }
  void EndLine() {
    if (column_ > 0) Break();
  }
  void IndentTo(int indent) {
    EndLine();
    out_.append(static_cast<size_t>(indent), ' ');
    column_ = static_cast<size_t>(indent);
  }

  // indent: of the container around. in_list: the line already holds "- ", and a container begins there.
  void WriteNode(const Value& value, int indent, bool in_list) {
    switch (value.kind()) {
      case json::Kind::kNull: return Put("null");
      case json::Kind::kBool: return Put(value.boolean() ? "true" : "false");
      case json::Kind::kInt: return Put(std::to_string(value.integer()));
      case json::Kind::kNumber:
        return Put(value.beyond_int64() != 0 ? json::NumberText(value) : FloatOf(value.number()));
      case json::Kind::kString: return WriteString(value.string(), indent + 2, false);
      case json::Kind::kArray: return WriteList(value.array(), indent, in_list);
      case json::Kind::kObject: return WriteMap(value.object(), indent + 2, in_list);
    }
  }

  void WriteMap(const json::Object& members, int indent, bool in_list) {
    if (members.empty()) return Put("{}");
    std::vector<const json::Member*> sorted;
    for (const json::Member& member : members) sorted.push_back(&member);
    // Go's order has cycles (a10 < a1M < a2 < a10), for which Go's result depends on the order of its map. Berth first
    // sorts by bytes, so its result depends only on the keys. stable_sort stays within bounds in any case.
    std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->first < b->first; });
    std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return KeyLess(a->first, b->first); });
    for (const json::Member* member : sorted) {
      if (!in_list || member != sorted.front()) IndentTo(indent);
      WriteMember(*member, indent);
    }
  }

  void WriteMember(const json::Member& member, int indent) {
    const auto& [key, value] = member;
    if (key.size() > kSimpleKeyLength || key.find('\n') != std::string::npos) {
      Put("? ");
      WriteString(key, indent + 2, false);
      IndentTo(indent);
      Put(": ");
      return WriteNode(value, indent, true);
    }
    WriteString(key, indent, true);
    const bool below = !value.object().empty() || !value.array().empty();
    Put(below ? ":" : ": ");
    WriteNode(value, indent, false);
  }

  // A list below a key starts at the column of the key; a list within a list two columns further.
  void WriteList(const json::Array& elements, int indent, bool in_list) {
    if (elements.empty()) return Put("[]");
    const int own = std::max(in_list ? indent + 2 : indent, 0);
    for (const Value& element : elements) {
      if (!in_list || &element != &elements.front()) IndentTo(own);
      Put("- ");
      WriteNode(element, own, true);
    }
  }

  // indent: where the lines of a text that needs several begin.
  void WriteString(std::string_view text, int indent, bool is_key) {
    const std::vector<Rune> runes = RunesOf(text);
    switch (ChooseStyle(text, runes, is_key)) {
      case Style::kPlain: return WriteUnescaped(runes, indent, is_key, true);
      case Style::kSingleQuoted:
        Put("'");
        WriteUnescaped(runes, indent, is_key, false);
        return Put("'");
      case Style::kDoubleQuoted: return WriteDoubleQuoted(runes, indent, is_key);
      case Style::kLiteral: return WriteLiteral(text, indent);
    }
  }

  bool PastWidth(bool is_key, bool after_space) const { return !is_key && !after_space && column_ > kBestWidth; }

  // Plain or single-quoted: folded at a single blank after column 80.
  void WriteUnescaped(const std::vector<Rune>& runes, int indent, bool is_key, bool plain) {
    bool after_space = false;
    for (size_t i = 0; i < runes.size(); ++i) {
      const bool space = runes[i].code == ' ';
      const bool inner = plain || (i > 0 && i + 1 < runes.size());
      const bool single = i + 1 >= runes.size() || runes[i + 1].code != ' ';
      if (space && inner && single && PastWidth(is_key, after_space)) {
        IndentTo(indent);
      } else {
        if (!plain && runes[i].code == '\'') Put("'");
        Put(runes[i].bytes);
      }
      after_space = space;
    }
  }

  void WriteDoubleQuoted(const std::vector<Rune>& runes, int indent, bool is_key) {
    // Go's writer checks for a byte order mark at the start of the text, at every character.
    const bool all_escaped = !runes.empty() && runes.front().code == 0xFEFF;
    Put("\"");
    bool after_space = false;
    for (size_t i = 0; i < runes.size(); ++i) {
      const Rune& rune = runes[i];
      const bool space = rune.code == ' ' && !all_escaped;
      if (space && i > 0 && i + 1 < runes.size() && PastWidth(is_key, after_space)) {
        IndentTo(indent);
        if (runes[i + 1].code == ' ') Put("\\");
      } else if (all_escaped || !rune.printable || rune.code == '\n' || rune.code == '"' || rune.code == '\\') {
        WriteEscape(rune.code);
      } else {
        Put(rune.bytes);
      }
      after_space = space;
    }
    Put("\"");
  }

  void WriteEscape(char32_t code) {
    constexpr std::pair<char32_t, char> kNamed[] = {
        {0, '0'},  {7, 'a'},   {8, 'b'},     {9, 't'},    {10, 'n'},   {11, 'v'},     {12, 'f'},    {13, 'r'},
        {27, 'e'}, {'"', '"'}, {'\\', '\\'}, {0x85, 'N'}, {0xA0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
    for (const auto& [named, letter] : kNamed) {
      if (named == code) return Put(std::string{'\\', letter});
    }
    constexpr char kHex[] = "0123456789ABCDEF";
    const int digits = code <= 0xFF ? 2 : code <= 0xFFFF ? 4 : 8;
    std::string text = code <= 0xFF ? "\\x" : code <= 0xFFFF ? "\\u" : "\\U";
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) text += kHex[code >> shift & 15];
    Put(text);
  }

  void WriteLiteral(std::string_view text, int indent) {
    Put("|");
    if (text.front() == ' ' || text.front() == '\n') Put("2");
    if (!text.ends_with('\n')) Put("-");
    if (text.ends_with("\n\n") || text == "\n") Put("+");
    Break();
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      if (!line.empty()) {
        IndentTo(indent);
        Put(line);
      }
      if (line.size() < text.size()) Break();
      text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
  }

  std::string out_;
  size_t column_ = 0;
};

}  // namespace

std::string WriteYaml(const Value& value) { return Writer().Write(value); }

}  // namespace berth::yaml
