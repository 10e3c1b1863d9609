#include "cluster/serve/accept.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace berth::serve {
namespace {

constexpr size_t kMostClauses = 64;

std::string_view TakeUntil(std::string_view& rest, char separator) {
  const size_t at = std::min(rest.find(separator), rest.size());
  const std::string_view item = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return item;
}

std::string_view TrimSpaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// As strconv.ParseFloat, whose error counts as 0.
double QualityOf(std::string_view text) {
  double quality = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quality);
  return error == std::errc() && end == text.data() + text.size() ? quality : 0;
}

void ReadParameters(std::string_view rest, AcceptClause& clause) {
  while (!rest.empty()) {
    std::string_view item = TakeUntil(rest, ';');
    const std::string_view name = TrimSpaces(TakeUntil(item, '='));
    if (item.empty()) continue;
    const std::string_view value = TakeUntil(item, '=');
    if (!item.empty()) continue;
    if (name == "q") {
      clause.quality = QualityOf(value);
    } else {
      clause.parameters[std::string(name)] = TrimSpaces(value);
    }
  }
}

std::optional<AcceptClause> ReadClause(std::string_view part) {
  part = TrimSpaces(part);
  std::string_view media = TakeUntil(part, ';');
  AcceptClause clause;
  clause.type = TrimSpaces(TakeUntil(media, '/'));
  if (media.empty()) {
    if (clause.type != "*") return std::nullopt;
    clause.subtype = "*";
  } else {
    clause.subtype = TrimSpaces(TakeUntil(media, '/'));
    if (!media.empty()) return std::nullopt;
  }
  ReadParameters(part, clause);
  return clause;
}

// Less of goautoneg, which is no order: of two clauses, each may come before the other.
bool ComesBefore(const AcceptClause& a, const AcceptClause& b) {
  return a.quality > b.quality || (a.type != "*" && b.type == "*") || (a.subtype != "*" && b.subtype == "*");
}

// The steps of Go's sort.Sort for fewer than 12 elements. std::sort needs an order.
void InsertionSort(std::vector<AcceptClause>& clauses) {
  for (size_t i = 1; i < clauses.size(); ++i) {
    for (size_t j = i; j > 0 && ComesBefore(clauses[j], clauses[j - 1]); --j) std::swap(clauses[j], clauses[j - 1]);
  }
}

bool Covers(const AcceptClause& clause, std::string_view media_type) {
  std::string_view subtype = media_type;
  const std::string_view type = TakeUntil(subtype, '/');
  if (clause.type == "*" && clause.subtype == "*") return true;
  return clause.type == type && (clause.subtype == subtype || clause.subtype == "*");
}

// acceptMediaTypeOptions. Neither stream nor sv has a value that the endpoints allow.
std::optional<MediaChoice> ChoiceOf(const AcceptClause& clause, const std::string& media_type,
                                    const AllowsMedia& allows) {
  MediaChoice choice{media_type, std::nullopt, false};
  const auto wanted = [&]() -> WantedKind& { return choice.kind ? *choice.kind : choice.kind.emplace(); };
  for (const auto& [name, value] : clause.parameters) {
    if (name == "as") wanted().kind = value;
    if (name == "g") wanted().group = value;
    if (name == "v") wanted().version = value;
    if (name == "pretty") choice.pretty = value == "1";
    if ((name == "stream" || name == "sv") && !value.empty()) return std::nullopt;
  }
  if (!allows(media_type, choice.kind)) return std::nullopt;
  return choice;
}

}  // namespace

std::vector<AcceptClause> ParseAccept(std::string_view header) {
  std::vector<AcceptClause> clauses;
  while (!header.empty() && clauses.size() < kMostClauses) {
    if (auto clause = ReadClause(TakeUntil(header, ','))) clauses.push_back(std::move(*clause));
  }
  InsertionSort(clauses);
  return clauses;
}

std::optional<MediaChoice> ChooseMedia(std::string_view accept, const std::vector<std::string>& offered,
                                       const AllowsMedia& allows) {
  if (accept.empty()) return MediaChoice{offered.front(), std::nullopt, false};
  for (const AcceptClause& clause : ParseAccept(accept)) {
    for (const std::string& media_type : offered) {
      if (!Covers(clause, media_type)) continue;
      if (auto choice = ChoiceOf(clause, media_type, allows)) return choice;
    }
  }
  return std::nullopt;
}

}  // namespace berth::serve
