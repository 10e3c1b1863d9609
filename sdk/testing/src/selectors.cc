#include "berth/testing/selectors.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace berth::sdk::testing {

bool Meets(std::string_view op, const Texts& values, const std::optional<std::string>& value) {
  const auto listed = [&] { return std::find(values.begin(), values.end(), *value) != values.end(); };
  if (op == "In") return value && listed();
  if (op == "NotIn") return !value || !listed();
  if (op == "Exists") return value.has_value();
  if (op == "DoesNotExist") return !value;
  if ((op != "Gt" && op != "Lt") || !value || values.size() != 1) return false;
  const auto number = [](const std::string& text) -> std::optional<int64_t> {
    int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
  };
  const auto have = number(*value), limit = number(values[0]);
  return have && limit && (op == "Gt" ? *have > *limit : *have < *limit);
}

std::optional<std::string> LabelOf(const berth_labels* labels, Id key) {
  const Id value = Labels(labels).Get(key);
  if (value == kNoId) return std::nullopt;
  return TextOf(value);
}

bool TermMatches(const berth_node_term& term, const berth_node& node) {
  const List<berth_node_requirement> expressions(term.expressions), fields(term.fields);
  if (expressions.empty() && fields.empty()) return false;
  const auto texts = [](const berth_node_requirement& one) {
    Texts values;
    for (const Id id : List<Id>(one.values)) values.push_back(TextOf(id));
    return values;
  };
  for (const berth_node_requirement& one : expressions) {
    if (!Meets(TextOf(one.op), texts(one), LabelOf(node.labels, one.key))) return false;
  }
  for (const berth_node_requirement& one : fields) {
    if (TextOf(one.key) != "metadata.name" || !Meets(TextOf(one.op), texts(one), TextOf(node.name))) return false;
  }
  return true;
}

bool AffinityMatches(const berth_node_affinity& affinity, const berth_node& node) {
  for (const berth_kv& one : List<berth_kv>(affinity.selector)) {
    if (Labels(node.labels).Get(one.key) != one.value) return false;
  }
  if (!(affinity.has & BERTH_NODE_AFFINITY_REQUIRED)) return true;
  for (const berth_node_term& term : List<berth_node_term>(affinity.required)) {
    if (TermMatches(term, node)) return true;
  }
  return false;
}

std::vector<FakeRequirement> ReadRequirements(const Value& list, const std::string& path, const Complain& complain) {
  std::vector<FakeRequirement> requirements;
  for (uint32_t i = 0; i < list.size(); ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    FakeRequirement one{
        std::string(list[i].Get("key").AsString()), std::string(list[i].Get("operator").AsString()), {}};
    const Value values = list[i].Get("values");
    for (uint32_t k = 0; k < values.size(); ++k) one.values.emplace_back(values[k].AsString());
    const bool set = one.op == "In" || one.op == "NotIn";
    if (!set && one.op != "Exists" && one.op != "DoesNotExist" && one.op != "Gt" && one.op != "Lt") {
      complain(at + ".operator", "Invalid value: \"" + one.op + "\": not a valid selector operator");
    } else if (set && one.values.empty()) {
      complain(at + ".values", "Required value: must be specified when `operator` is 'In' or 'NotIn'");
    }
    requirements.push_back(std::move(one));
  }
  return requirements;
}

FakeTerm ReadTerm(const Value& term, const std::string& path, const Complain& complain) {
  return {ReadRequirements(term.Get("matchExpressions"), path + ".matchExpressions", complain),
          ReadRequirements(term.Get("matchFields"), path + ".matchFields", complain)};
}

FakePod ReadNodeAffinity(const Value& affinity, const Complain& complain) {
  FakePod pod("added-affinity");
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution";
  const Value terms = affinity.Get(required).Get("nodeSelectorTerms");
  for (uint32_t i = 0; i < terms.size(); ++i) {
    pod.Required(ReadTerm(terms[i], required + ".nodeSelectorTerms[" + std::to_string(i) + "]", complain));
  }
  const std::string preferred = "preferredDuringSchedulingIgnoredDuringExecution";
  const Value list = affinity.Get(preferred);
  for (uint32_t i = 0; i < list.size(); ++i) {
    const std::string at = preferred + "[" + std::to_string(i) + "].preference";
    pod.Preferred(static_cast<int32_t>(list[i].Get("weight").AsInt()),
                  ReadTerm(list[i].Get("preference"), at, complain));
  }
  return pod;
}

FakeLabelSelector FakeLabelSelector::Read(const Value& selector, const Complain& complain) {
  FakeLabelSelector compiled{selector.is_null(), {}};
  compiled.requirements = ReadRequirements(selector.Get("matchExpressions"), "matchExpressions", complain);
  const Value labels = selector.Get("matchLabels");
  for (uint32_t i = 0; i < labels.size(); ++i) {
    compiled.requirements.push_back({std::string(labels.KeyAt(i)), "In", {std::string(labels[i].AsString())}});
  }
  return compiled;
}

bool FakeLabelSelector::Matches(const berth_labels* labels) const {
  if (nothing) return false;
  for (const FakeRequirement& one : requirements) {
    if (!Meets(one.op, one.values, LabelOf(labels, IdOf(one.key)))) return false;
  }
  return true;
}

}  // namespace berth::sdk::testing
