#include <iterator>
#include <nlohmann/json.hpp>

#include "codec/json/tree_builder.h"
#include "codec/json/value.h"

namespace berth::json {
namespace {

// Line and column of increasing offsets; each byte is counted once.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  Mark At(size_t offset) {
    for (; counted_ < offset && counted_ < text_.size(); ++counted_) {
      if (text_[counted_] != '\n') continue;
      ++line_;
      line_start_ = counted_ + 1;
    }
    return {line_, static_cast<int>(offset - line_start_) + 1};
  }

 private:
  std::string_view text_;
  size_t counted_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
};

// An input iterator that counts what the parser has read: nlohmann's handlers do not get the position of a token.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// nlohmann's what() without its own name and position: "syntax error while parsing value - unexpected ...".
std::string Reason(std::string_view what) {
  const size_t bracket = what.find("] ");
  if (bracket != std::string_view::npos) what.remove_prefix(bracket + 2);
  if (what.starts_with("parse error at ")) what.remove_prefix(what.find(": ") + 2);
  return std::string(what);
}

class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Handler(std::string_view text) : text_(text), lines_(text), reached_(text.data()), token_end_(text.data()) {}

  Cursor begin() { return {text_.data(), &reached_}; }
  Cursor end() { return {text_.data() + text_.size(), &reached_}; }
  const std::string& error() const { return error_; }
  TreeBuilder& tree() { return tree_; }
  // The parser takes a NUL for the end of the text and ignores the rest; JSON contains no NUL.
  bool EndsAtNul() {
    const size_t nul = text_.find('\0');
    if (nul != std::string_view::npos) Fail(lines_.At(nul), "a NUL byte");
    return nul != std::string_view::npos;
  }

  bool null() override { return Scalar(Value()); }
  bool boolean(bool value) override { return Scalar(Value(value)); }
  bool number_integer(number_integer_t value) override { return Scalar(Value(int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override { return Scalar(Value::Whole(value)); }
  bool number_float(number_float_t value, const string_t&) override { return Scalar(Value(value)); }
  bool string(string_t& value) override { return Scalar(Value(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return Started(tree_.StartObject(TokenMark())); }
  bool start_array(std::size_t) override { return Started(tree_.StartArray(TokenMark())); }
  bool end_object() override { return Ended(); }
  bool end_array() override { return Ended(); }
  bool key(string_t& value) override {
    tree_.Key(std::move(value), TokenMark());
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& fault) override {
    Fail(lines_.At(position == 0 ? 0 : position - 1), Reason(fault.what()));
    return false;
  }

 private:
  // The current token starts after the previous one, blanks, separators and a byte order mark.
  Mark TokenMark() {
    const char* start = token_end_;
    while (start < reached_ && std::string_view(" \t\r\n,:\xEF\xBB\xBF").find(*start) != std::string_view::npos)
      ++start;
    token_end_ = reached_;
    return lines_.At(static_cast<size_t>(start - text_.data()));
  }
  bool Scalar(Value value) {
    value.set_mark(TokenMark());
    tree_.Add(std::move(value));
    return true;
  }
  bool Started(bool fits) {
    if (!fits)
      Fail(lines_.At(token_end_ - text_.data() - 1), "nested more than " + std::to_string(kMaxDepth) + " deep");
    return fits;
  }
  bool Ended() {
    token_end_ = reached_;
    tree_.End();
    return true;
  }
  void Fail(Mark mark, const std::string& reason) {
    error_ = "line " + std::to_string(mark.line) + ", column " + std::to_string(mark.column) + ": " + reason;
  }

  std::string_view text_;
  LineCounter lines_;
  const char* reached_;
  const char* token_end_;
  TreeBuilder tree_;
  std::string error_;
};

}  // namespace

base::Result<Value> ParseCollecting(std::string_view text, std::vector<DuplicateKey>& duplicates) {
  Handler handler(text);
  try {
    if (!nlohmann::json::sax_parse(handler.begin(), handler.end(), &handler)) return base::Fail(handler.error());
  } catch (const nlohmann::json::exception& fault) {
    return base::Fail(Reason(fault.what()));
  }
  if (handler.EndsAtNul()) return base::Fail(handler.error());
  for (const DuplicateKey& duplicate : handler.tree().duplicates()) duplicates.push_back(duplicate);
  return handler.tree().Take();
}

base::Result<Value> Parse(std::string_view text) {
  std::vector<DuplicateKey> duplicates;
  base::Result<Value> value = ParseCollecting(text, duplicates);
  if (!value || duplicates.empty()) return value;
  const DuplicateKey& first = duplicates.front();
  return base::Fail("line " + std::to_string(first.mark.line) + ", column " + std::to_string(first.mark.column) +
                    ": duplicate field \"" + first.path + "\"");
}

}  // namespace berth::json
