// Columns of text for terminals, and paragraphs wrapped to a width. Thread: like a std::vector.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace berth::base {

// The number of terminal columns of UTF-8 text: one per code point, which is accurate enough for names.
size_t TextWidth(std::string_view text);

// Words of text in lines of at most `width` columns, each after the first indented by `indent` spaces.
std::string Wrap(std::string_view text, size_t width, size_t indent);

// A terminal's colors; kNone prints without color.
enum class Color : uint8_t { kNone, kGreen, kYellow, kRed };
std::string Painted(std::string_view text, Color color);

// Rows of cells in columns two spaces apart; no spaces at line ends.
class TextTable {
 public:
  enum class Align : uint8_t { kLeft, kRight };
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}
  // One cell for each column. colors may be shorter; the other cells have no color.
  void Add(std::vector<std::string> cells, std::vector<Color> colors = {});
  void Print(std::ostream& out) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<Color> colors;
  };
  std::vector<Align> columns_;
  std::vector<Row> rows_;
};

}  // namespace berth::base
