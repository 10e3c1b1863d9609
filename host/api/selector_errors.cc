#include "api/selector_errors.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/text.h"
#include "codec/text/label_syntax.h"

namespace berth::api {
namespace {

constexpr std::string_view kLabelOperators = R"("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")";
constexpr std::string_view kFieldOperators = R"("In", "NotIn")";

// A string as Go's encoding/json writes it, with HTML characters escaped.
std::string GoJson(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\b' ? 'b' : 'f';
    } else if (byte < 0x20 || c == '<' || c == '>' || c == '&') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Unsupported(std::string_view op, std::string_view supported) {
  return "Unsupported value: " + GoJson(op) + ": supported values: " + std::string(supported);
}

// NewRequirement's error for the number of values.
std::string_view CountError(const InternTables& intern, const berth_node_requirement& requirement) {
  const uint32_t n = requirement.values.n;
  if (requirement.op == intern.op_gt || requirement.op == intern.op_lt) {
    return n != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
  }
  const bool set = requirement.op == intern.op_in || requirement.op == intern.op_not_in;
  return LabelOpCountError(set ? LabelOp::kIn : LabelOp::kExists, n);
}

bool IsLabelOperator(const InternTables& intern, berth_id op) {
  return op == intern.op_in || op == intern.op_not_in || op == intern.op_exists || op == intern.op_does_not_exist ||
         op == intern.op_gt || op == intern.op_lt;
}

void CheckExpression(const InternTables& intern, const berth_node_requirement& requirement, const FieldPath& path,
                     std::vector<FieldError>& errors) {
  if (!IsLabelOperator(intern, requirement.op)) {
    errors.push_back({path.Child("operator").Text(), Unsupported(intern.ids.Text(requirement.op), kLabelOperators)});
    return;
  }
  const bool integers = requirement.op == intern.op_gt || requirement.op == intern.op_lt;
  CheckLabelRequirement(
      path, {intern.ids.Text(requirement.key), {intern, requirement.values}, CountError(intern, requirement), integers},
      errors);
}

void CheckField(const InternTables& intern, const berth_node_requirement& requirement, const FieldPath& path,
                std::vector<FieldError>& errors) {
  if (requirement.op != intern.op_in && requirement.op != intern.op_not_in) {
    errors.push_back({path.Child("operator").Text(), Unsupported(intern.ids.Text(requirement.op), kFieldOperators)});
  } else if (requirement.values.n != 1) {
    errors.push_back(
        {path.Child("values").Text(), InvalidTexts({intern, requirement.values}, "must have one element")});
  }
}

void CheckKey(const FieldPath& path, std::string_view key, std::vector<FieldError>& errors) {
  if (const auto complaints = text::LabelKeyErrors(key); !complaints.empty()) {
    errors.push_back({path.Child("key").Text(), InvalidText(key, base::Join(complaints, "; "))});
  }
}

void CheckIntegers(const FieldPath& path, const RequirementValues& values, std::vector<FieldError>& errors) {
  int64_t number;
  for (size_t i = 0; i < values.size(); ++i) {
    if (ParseInt64(values[i], number)) continue;
    errors.push_back({path.Child("values", i).Text(),
                      InvalidText(values[i], "for 'Gt', 'Lt' operators, the value must be an integer")});
  }
}

void CheckValues(const FieldPath& path, const LabelRequirement& requirement, std::vector<FieldError>& errors) {
  const RequirementValues& values = requirement.values;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto complaints = text::LabelValueErrors(values[i]);
    if (complaints.empty()) continue;
    errors.push_back({path.Child("values", i).Text() + '[' + std::string(requirement.key) + ']',
                      InvalidText(values[i], base::Join(complaints, "; "))});
  }
}

}  // namespace

bool ParseInt64(std::string_view text, int64_t& number) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string InvalidText(std::string_view value, std::string_view why) {
  return "Invalid value: " + base::Quoted(value) + ": " + std::string(why);
}

std::string InvalidTexts(const RequirementValues& values, std::string_view why) {
  std::string list;
  for (size_t i = 0; i < values.size(); ++i) {
    list += list.empty() ? '[' : ',';
    list += GoJson(values[i]);
  }
  return "Invalid value: " + (list.empty() ? "null" : list + "]") + ": " + std::string(why);
}

void CheckLabelRequirement(const FieldPath& path, const LabelRequirement& requirement,
                           std::vector<FieldError>& errors) {
  CheckKey(path, requirement.key, errors);
  if (!requirement.count_error.empty()) {
    errors.push_back({path.Child("values").Text(), InvalidTexts(requirement.values, requirement.count_error)});
  }
  if (requirement.integers) CheckIntegers(path, requirement.values, errors);
  CheckValues(path, requirement, errors);
}

std::string AggregateText(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors) {
    std::string text = error.path + ": " + error.detail;
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
  }
  const std::string joined = base::Join(texts, ", ");
  return texts.size() > 1 ? '[' + joined + ']' : joined;
}

void CheckNodeTerm(const InternTables& intern, const berth_node_term& term, const FieldPath& path,
                   std::vector<FieldError>& errors) {
  for (uint32_t i = 0; i < term.expressions.n; ++i) {
    const auto& requirement = *BERTH_AT(term.expressions, berth_node_requirement, i);
    CheckExpression(intern, requirement, path.Child("matchExpressions", i), errors);
  }
  for (uint32_t i = 0; i < term.fields.n; ++i) {
    const auto& field = *BERTH_AT(term.fields, berth_node_requirement, i);
    CheckField(intern, field, path.Child("matchFields", i), errors);
  }
}

void CheckRequired(const InternTables& intern, const berth_node_affinity& affinity, const FieldPath& selector,
                   std::vector<FieldError>& errors) {
  for (uint32_t i = 0; i < affinity.required.n; ++i) {
    const auto& term = *BERTH_AT(affinity.required, berth_node_term, i);
    CheckNodeTerm(intern, term, selector.Child("nodeSelectorTerms", i), errors);
  }
}

void CheckPreferred(const InternTables& intern, const berth_node_affinity& affinity, std::string_view list,
                    std::vector<FieldError>& errors) {
  for (uint32_t i = 0; i < affinity.preferred.n; ++i) {
    const auto* preferred = BERTH_AT(affinity.preferred, berth_preferred_term, i);
    if (preferred->weight != 0) CheckNodeTerm(intern, preferred->term, {nullptr, list, i}, errors);
  }
}

}  // namespace berth::api
