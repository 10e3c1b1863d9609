#include "cmd/berthctl/validate/report.h"

#include <algorithm>
#include <array>

namespace berth::validate {
namespace {

constexpr std::array<const char*, 6> kNames{"ok", "warning", "failed", "crashed", "timeout", "not applicable"};
constexpr size_t kStatusWidth = 16, kRuleWidth = 8;

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

json::Value TextArray(const std::vector<std::string>& texts) {
  json::Array array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

std::string Summary(const Report& report) {
  std::string text;
  for (size_t i = 0; i < kNames.size(); ++i) {
    const auto n = std::count_if(report.entries.begin(), report.entries.end(),
                                 [i](const Entry& entry) { return static_cast<size_t>(entry.status) == i; });
    if (n > 0) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + kNames[i];
  }
  return text;
}

}  // namespace

const char* NameOf(Status status) { return kNames[static_cast<size_t>(status)]; }

Status Report::Worst() const {
  Status worst = Status::kOk;
  for (const Entry& entry : entries) {
    if (entry.status != Status::kNotApplicable) worst = std::max(worst, entry.status);
  }
  return worst;
}

std::string ToText(const Report& report) {
  std::string text = report.path + "\n";
  std::string plugin;
  for (const Entry& entry : report.entries) {
    if (entry.plugin != plugin) text += "plugin " + entry.plugin + "\n";
    plugin = entry.plugin;
    text += "  " + Padded(NameOf(entry.status), kStatusWidth) + Padded(entry.rule, kRuleWidth) + entry.title + "\n";
    for (const auto* lines : {&entry.texts, &entry.notes}) {
      for (const std::string& line : *lines) text += std::string(4 + kStatusWidth + kRuleWidth, ' ') + line + "\n";
    }
  }
  return text + Summary(report) + "; seed " + std::to_string(report.seed) + "\n";
}

json::Value ToJson(const Report& report) {
  json::Array entries;
  for (const Entry& entry : report.entries) {
    json::Value one = json::Value::MakeObject({{"rule", entry.rule}, {"title", entry.title}});
    if (!entry.plugin.empty()) one.Set("plugin", entry.plugin);
    one.Set("status", NameOf(entry.status));
    if (!entry.texts.empty()) one.Set("texts", TextArray(entry.texts));
    if (!entry.notes.empty()) one.Set("notes", TextArray(entry.notes));
    one.Set("milliseconds", entry.took_ms);
    entries.push_back(std::move(one));
  }
  json::Value value = json::Value::MakeObject({{"library", report.path}, {"result", NameOf(report.Worst())}});
  value.Set("sha256", report.sha256);
  value.Set("version", report.version);
  value.Set("seed", std::to_string(report.seed));  // a string: it may exceed the number type of a JSON reader
  value.Set("rules", std::move(entries));
  return value;
}

}  // namespace berth::validate
