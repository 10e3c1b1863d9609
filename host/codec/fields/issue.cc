#include "codec/fields/issue.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/text.h"

namespace berth::fields {
namespace {

using json::Value;

// Removes the next step from the front of a path: ".name", "name" or "[index]". Returns it without dot and brackets.
std::string_view NextStep(std::string_view& path) {
  if (path.front() == '.') path.remove_prefix(1);
  const bool bracket = !path.empty() && path.front() == '[';
  const size_t end = bracket ? path.find(']') : path.find_first_of(".[", 1);
  const std::string_view step = path.substr(bracket ? 1 : 0, bracket ? end - 1 : end);
  path.remove_prefix(std::min(path.size(), end == std::string_view::npos ? end : end + (bracket ? 1 : 0)));
  return step;
}

const Value* Enter(const Value& value, std::string_view step) {
  if (!value.is_array()) return value.Find(step);
  size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size() || index >= value.array().size()) return nullptr;
  return &value.array()[index];
}

std::string Shown(const Value& bad) {
  // Go's %q and JSON differ for control characters only.
  return bad.is_string() ? base::Quoted(bad.string()) : json::Dump(bad);
}

std::string WithDetail(std::string text, std::string_view detail) {
  if (!detail.empty()) text.append(": ").append(detail);
  return text;
}

}  // namespace

std::string Issue::Text() const {
  std::string text = file;
  if (mark.line > 0) text += ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
  for (const std::string* part : {&path, &reason}) {
    if (!part->empty()) text += (text.empty() ? "" : ": ") + *part;
  }
  return text;
}

json::Mark Locate(const Value& root, std::string_view path) {
  const Value* value = &root;
  json::Mark mark = root.mark();
  while (!path.empty()) {
    value = Enter(*value, NextStep(path));
    if (!value) break;
    if (value->mark().line > 0) mark = value->mark();
  }
  return mark;
}

std::vector<std::string> TextsOf(const std::vector<Issue>& issues) {
  std::vector<std::string> texts;
  for (const Issue& issue : issues) texts.push_back(issue.Text());
  return texts;
}

void Issues::Add(std::string path, std::string reason) {
  const json::Mark mark = Locate(root_, path);
  AddAt(mark, std::move(path), std::move(reason));
}

void Issues::AddAt(json::Mark mark, std::string path, std::string reason) {
  issues_.push_back({file_, mark, std::move(path), std::move(reason)});
}

std::vector<Issue> Issues::Take() {
  const auto place = [](const Issue& issue) { return std::tuple(issue.mark.line, issue.mark.column); };
  std::stable_sort(issues_.begin(), issues_.end(), [&](const Issue& a, const Issue& b) { return place(a) < place(b); });
  std::vector<Issue> taken;
  size_t same_place = 0;  // the first issue at the position of the last one
  for (Issue& issue : issues_) {
    if (!taken.empty() && place(taken.back()) != place(issue)) same_place = taken.size();
    const bool repeated =
        std::any_of(taken.begin() + static_cast<ptrdiff_t>(same_place), taken.end(),
                    [&](const Issue& other) { return other.path == issue.path && other.reason == issue.reason; });
    if (!repeated) taken.push_back(std::move(issue));
  }
  issues_.clear();
  return taken;
}

std::string Invalid(const Value& bad, std::string_view detail) {
  return WithDetail("Invalid value: " + Shown(bad), detail);
}
std::string InvalidUnquoted(std::string_view detail) { return WithDetail("Invalid value", detail); }
std::string Required(std::string_view detail) { return WithDetail("Required value", detail); }
std::string Duplicate(const Value& bad) { return "Duplicate value: " + Shown(bad); }
std::string Forbidden(std::string_view detail) { return WithDetail("Forbidden", detail); }

std::string Unsupported(const Value& bad, const std::vector<std::string>& supported) {
  std::vector<std::string> quoted;
  for (const std::string& value : supported) quoted.push_back(base::Quoted(value));
  return "Unsupported value: " + Shown(bad) + ": supported values: " + base::Join(quoted, ", ");
}

std::string Child(std::string_view path, std::string_view name) {
  std::string child(path);
  if (!child.empty()) child += '.';
  return child.append(name);
}

std::string Index(std::string_view path, size_t index) { return std::string(path) + "[" + std::to_string(index) + "]"; }

}  // namespace berth::fields
