#include "config/flags/csv.h"

#include "base/text.h"

namespace berth::flags {
namespace {

constexpr std::string_view kQuoteError = "extraneous or missing \" in quoted-field";

// Removes the field at the front of rest; the comma or the end follows.
base::Result<std::string> TakeField(std::string_view& rest) {
  if (!rest.starts_with('"')) {
    const std::string field(rest.substr(0, rest.find(',')));
    if (field.find('"') != std::string::npos) return base::Fail("bare \" in non-quoted-field");
    rest.remove_prefix(field.size());
    return field;
  }
  std::string field;
  for (rest.remove_prefix(1);; rest.remove_prefix(1)) {
    if (rest.empty()) return base::Fail(std::string(kQuoteError));
    if (rest.starts_with("\"\"")) {
      rest.remove_prefix(1);
    } else if (rest.front() == '"') {
      rest.remove_prefix(1);
      break;
    }
    field += rest.front();
  }
  if (!rest.empty() && rest.front() != ',') return base::Fail(std::string(kQuoteError));
  return field;
}

}  // namespace

base::Result<std::vector<std::string>> ParseCsvLine(std::string_view text) {
  std::vector<std::string> fields;
  if (text.empty()) return fields;
  for (;;) {
    auto field = TakeField(text);
    if (!field) return tl::unexpected(field.error());
    fields.push_back(std::move(*field));
    if (text.empty()) return fields;
    text.remove_prefix(1);
  }
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::vector<std::string> shown;
  for (const std::string& field : fields) {
    if (field.find_first_of(",\"\r\n") == std::string::npos && !field.starts_with(' ') && !field.starts_with('\t')) {
      shown.push_back(field);
      continue;
    }
    std::string quoted = "\"";
    for (char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
    shown.push_back(quoted + "\"");
  }
  return base::Join(shown, ",");
}

}  // namespace berth::flags
