// Args of filteringNode and filteringPod, which list the objects to reject:
//   names: [exact, ...]
//   patterns: ["glob-*", ...]
//   labelSelectors: [{matchLabels: ..., matchExpressions: ...}, ...]
// All members are optional. Empty args reject nothing. Thread: one, when a configuration is loaded.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plugins {

// Whether a name may have the form "namespace/name".
enum class NameForm { kPlain, kNamespaced };

namespace refusal {

// One requirement of a selector in kubectl's notation: "zone in (a,b)", "disk", "!disk".
inline std::string RequirementText(const berth::sdk::Value& requirement) {
  std::string key(requirement.Get("key").AsString());
  const std::string_view op = requirement.Get("operator").AsString();
  if (op == "Exists") return key;
  if (op == "DoesNotExist") return "!" + key;
  const berth::sdk::Value values = requirement.Get("values");
  std::set<std::string_view> sorted;
  for (uint32_t i = 0; i < values.size(); ++i) sorted.insert(values[i].AsString());
  std::string text;
  for (const std::string_view value : sorted) text += (text.empty() ? "" : ",") + std::string(value);
  return key + (op == "In" ? " in (" : " notin (") + text + ")";
}

// A metav1.LabelSelector in one line, requirements sorted by key.
inline std::string SelectorText(const berth::sdk::Value& selector) {
  std::vector<std::pair<std::string_view, std::string>> parts;
  const berth::sdk::Value labels = selector.Get("matchLabels"), expressions = selector.Get("matchExpressions");
  for (uint32_t i = 0; i < labels.size(); ++i) {
    parts.emplace_back(labels.KeyAt(i), std::string(labels.KeyAt(i)) + "=" + std::string(labels[i].AsString()));
  }
  for (uint32_t i = 0; i < expressions.size(); ++i) {
    parts.emplace_back(expressions[i].Get("key").AsString(), RequirementText(expressions[i]));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [key, part] : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

// The error of a name or pattern; "": none. Without this check, a typing error would reject nothing and remain
// unnoticed.
inline std::string_view NameError(std::string_view name, NameForm form, bool wildcards) {
  const size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    if (form == NameForm::kPlain) return "must not contain '/'";
    if (slash == 0 || slash + 1 == name.size() || name.find('/', slash + 1) != std::string_view::npos) {
      return "must be a name, or a namespace and a name with one '/' between them";
    }
  }
  for (const char c : name) {
    const bool wildcard = c == '*' || c == '?';
    if (wildcard && !wildcards) return "must not contain wildcards: they belong into patterns";
    if (!wildcard && c != '/' && c != '-' && c != '.' && (c < 'a' || c > 'z') && (c < '0' || c > '9')) {
      return "must consist of lower case alphanumeric characters, '-' or '.'";
    }
  }
  return "";
}

inline void CheckNames(berth::sdk::ArgsReader& in, const std::string& field, const std::vector<std::string>& names,
                       NameForm form, bool wildcards) {
  std::set<std::string_view> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string at = field + "[" + std::to_string(i) + "]";
    const std::string_view error = NameError(names[i], form, wildcards);
    if (names[i].empty()) {
      in.Required(at, "can not be empty");
    } else if (!error.empty()) {
      in.Invalid(at, names[i], error);
    } else if (!seen.insert(names[i]).second) {
      in.Duplicate(at, names[i]);
    }
  }
}

}  // namespace refusal

struct RefusalArgs {
  struct Selector {
    berth::sdk::Value written;  // borrowed as the args are
    berth::sdk::LabelSelector compiled;
    std::string text;
  };
  std::vector<std::string> names, patterns;
  std::vector<Selector> selectors;

  static RefusalArgs Read(berth::sdk::ArgsReader& in, NameForm form) {
    RefusalArgs args;
    in.Get("names", args.names);
    in.Get("patterns", args.patterns);
    refusal::CheckNames(in, "names", args.names, form, false);
    refusal::CheckNames(in, "patterns", args.patterns, form, true);
    in.Each("labelSelectors", [&](berth::sdk::ArgsReader& item, uint32_t) { args.selectors.push_back(One(item)); });
    return args;
  }

  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("names", names);
    out.Field("patterns", patterns);
    out.BeginArray("labelSelectors");
    for (const Selector& selector : selectors) out.Item(selector.written);
    out.EndArray();
  }

 private:
  static Selector One(berth::sdk::ArgsReader& in) {
    in.Raw("matchLabels"), in.Raw("matchExpressions");
    Selector selector{in.value(), {}, refusal::SelectorText(in.value())};
    if (selector.text.empty()) {
      in.Required("", "matchLabels or matchExpressions; to refuse everything, use the pattern \"*\"");
    }
    selector.compiled = in.host().Selectors().Compile(
        in.value(), [&in](std::string_view path, std::string_view text) { in.Report(path, std::string(text)); });
    return selector;
  }
};

}  // namespace plugins
