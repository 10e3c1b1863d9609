#include "base/text_table.h"

#include <algorithm>

namespace berth::base {

size_t TextWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string Wrap(std::string_view text, size_t width, size_t indent) {
  std::string out;
  size_t column = indent;
  bool line_start = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line_start && column + 1 + TextWidth(word) > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
      line_start = true;
    }
    if (!line_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += TextWidth(word);
    line_start = false;
  }
  return out;
}

std::string Painted(std::string_view text, Color color) {
  static constexpr const char* kCodes[] = {"", "\x1b[32m", "\x1b[33m", "\x1b[31m"};
  if (color == Color::kNone) return std::string(text);
  return kCodes[static_cast<size_t>(color)] + std::string(text) + "\x1b[0m";
}

void TextTable::Add(std::vector<std::string> cells, std::vector<Color> colors) {
  cells.resize(columns_.size());
  colors.resize(columns_.size(), Color::kNone);
  rows_.push_back({std::move(cells), std::move(colors)});
}

void TextTable::Print(std::ostream& out) const {
  std::vector<size_t> widths(columns_.size(), 0);
  for (const Row& row : rows_) {
    for (size_t c = 0; c < columns_.size(); ++c) widths[c] = std::max(widths[c], TextWidth(row.cells[c]));
  }
  for (const Row& row : rows_) {
    std::string line;
    size_t pending = 0;  // spaces that only count when something follows
    for (size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = row.cells[c];
      const size_t space = widths[c] - TextWidth(cell);
      if (columns_[c] == Align::kRight) pending += space;
      if (!cell.empty()) {
        line += std::string(pending, ' ') + Painted(cell, row.colors[c]);
        pending = 0;
      }
      pending += (columns_[c] == Align::kLeft ? space : 0) + 2;
    }
    out << line << '\n';
  }
}

}  // namespace berth::base
