#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "codec/fields/field_reader.h"
#include "codec/fields/issue.h"
#include "codec/text/label_syntax.h"
#include "config/configuration/args_validator.h"

namespace berth::config {
namespace {

using json::Value;
using Sink = ArgsValidator::Sink;

bool IsInteger(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  int64_t ignored = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), ignored);
  return error == std::errc() && end == text.data() + text.size();
}

// The number of values that the operator requires; empty when the number is right.
std::string WrongCount(const std::string& op, size_t values) {
  if (op == "In" || op == "NotIn") {
    return values == 0 ? "for 'in', 'notin' operators, values set can't be empty" : "";
  }
  if (op == "Exists" || op == "DoesNotExist") {
    return values != 0 ? "values set must be empty for exists and does not exist" : "";
  }
  return values != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
}

void CheckExpression(const Value& expression, const std::string& path, const Sink& sink) {
  const std::string& key = fields::FieldOf(expression, "key").string();
  const std::string& op = fields::FieldOf(expression, "operator").string();
  const Value& values = fields::FieldOf(expression, "values");
  const std::vector<std::string> operators = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  if (std::find(operators.begin(), operators.end(), op) == operators.end()) {
    return sink(path + ".operator", fields::Unsupported(op, operators));
  }
  const std::vector<std::string> key_faults = text::LabelKeyErrors(key);
  if (!key_faults.empty()) sink(path + ".key", fields::Invalid(key, base::Join(key_faults, "; ")));
  const std::string wrong_count = WrongCount(op, values.array().size());
  if (!wrong_count.empty()) sink(path + ".values", fields::Invalid(values, wrong_count));
  for (size_t i = 0; i < values.array().size(); ++i) {
    const std::string& value = values.array()[i].string();
    const std::string place = fields::Index(path + ".values", i);
    if ((op == "Gt" || op == "Lt") && !IsInteger(value)) {
      sink(place, fields::Invalid(value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
    const std::vector<std::string> faults = text::LabelValueErrors(value);
    if (!faults.empty()) sink(place + "[" + key + "]", fields::Invalid(value, base::Join(faults, "; ")));
  }
}

void CheckFieldExpression(const Value& expression, const std::string& path, const Sink& sink) {
  const std::string& op = fields::FieldOf(expression, "operator").string();
  const Value& values = fields::FieldOf(expression, "values");
  if (op != "In" && op != "NotIn") return sink(path + ".operator", fields::Unsupported(op, {"In", "NotIn"}));
  if (values.array().size() != 1) sink(path + ".values", fields::Invalid(values, "must have one element"));
}

void CheckTerm(const Value& term, const std::string& path, const Sink& sink) {
  const json::Array& expressions = fields::FieldOf(term, "matchExpressions").array();
  for (size_t i = 0; i < expressions.size(); ++i) {
    CheckExpression(expressions[i], fields::Index(path + ".matchExpressions", i), sink);
  }
  const json::Array& fields = fields::FieldOf(term, "matchFields").array();
  for (size_t i = 0; i < fields.size(); ++i)
    CheckFieldExpression(fields[i], fields::Index(path + ".matchFields", i), sink);
}

}  // namespace

void CheckNodeAffinityArgs(const Value& args, const Sink& sink) {
  const Value& affinity = fields::FieldOf(args, "addedAffinity");
  const std::string required = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const Value* terms = args.FindPath(required + ".nodeSelectorTerms");
  for (size_t i = 0; terms && i < terms->array().size(); ++i) {
    CheckTerm(terms->array()[i], fields::Index(required + ".nodeSelectorTerms", i), sink);
  }
  const json::Array& preferred = fields::FieldOf(affinity, "preferredDuringSchedulingIgnoredDuringExecution").array();
  for (size_t i = 0; i < preferred.size(); ++i) {
    if (fields::FieldOf(preferred[i], "weight").integer() == 0) continue;  // upstream skips such a term
    const std::string path = fields::Index("addedAffinity.preferredDuringSchedulingIgnoredDuringExecution", i);
    CheckTerm(fields::FieldOf(preferred[i], "preference"), path, sink);
  }
}

}  // namespace berth::config
