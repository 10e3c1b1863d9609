// Label selectors and node selectors: a written selector must read back as the same selector; a pod with the selector
// must get the same block; compiling with and without complaints must agree; and the matches must be those of a slow
// and simple implementation.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/content.h"
#include "api/pod.h"
#include "api/selectors.h"
#include "codec/json/value.h"
#include "require.h"
#include "words.h"

namespace {

using berth::api::InternTables;
using berth::api::SelectorBlock;
using berth::api::SelectorRef;
using berth::json::Value;
using Labels = std::map<std::string, std::string>;

Value Written(const InternTables& intern, const berth_selector& selector) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0) return {};
  Value out = Value::MakeObject();
  for (uint32_t i = 0; i < selector.labels.n; ++i) {
    const auto* label = BERTH_AT(selector.labels, berth_kv, i);
    out["matchLabels"].Set(intern.ids.Text(label->key), Value(intern.ids.Text(label->value)));
  }
  for (uint32_t i = 0; i < selector.expressions.n; ++i) {
    const auto* requirement = BERTH_AT(selector.expressions, berth_label_requirement, i);
    Value expression = Value::MakeObject();
    expression.Set("key", Value(intern.ids.Text(requirement->key)));
    expression.Set("operator", Value(intern.ids.Text(requirement->op)));
    for (uint32_t j = 0; j < requirement->values.n; ++j) {
      expression["values"].Append(Value(intern.ids.Text(*BERTH_AT(requirement->values, berth_id, j))));
    }
    out["matchExpressions"].Append(std::move(expression));
  }
  return out;
}

// Matches by the text of a selector without errors.
bool SlowlyMatches(const Value& written, const Labels& labels) {
  if (!written.is_object()) return false;
  if (const Value* wanted = written.Find("matchLabels")) {
    for (const auto& [key, value] : wanted->object()) {
      const auto label = labels.find(key);
      if (label == labels.end() || label->second != value.string()) return false;
    }
  }
  const Value* expressions = written.Find("matchExpressions");
  for (const Value& expression : expressions == nullptr ? berth::json::Array() : expressions->array()) {
    const auto label = labels.find(expression.Find("key")->string());
    const std::string& op = expression.Find("operator")->string();
    const Value* values = expression.Find("values");
    const bool named = label != labels.end() && values != nullptr &&
                       std::any_of(values->array().begin(), values->array().end(),
                                   [&](const Value& value) { return value.string() == label->second; });
    const bool there = label != labels.end();
    if (op == "In" ? !named : op == "NotIn" ? named : op == "Exists" ? !there : there) return false;
  }
  return true;
}

// Labels for the keys of the selector: each key gets its value, the first of its values, or an unrelated value.
Labels LabelsAbout(const Value& written, unsigned choice) {
  Labels labels;
  if (const Value* wanted = written.Find("matchLabels")) {
    for (const auto& [key, value] : wanted->object()) labels[key] = value.string();
  }
  const Value* expressions = written.Find("matchExpressions");
  for (const Value& expression : expressions == nullptr ? berth::json::Array() : expressions->array()) {
    const Value* values = expression.Find("values");
    const bool first = choice % 3 == 0 && values != nullptr && !values->array().empty();
    if (choice % 3 != 2) {
      labels[expression.Find("key")->string()] = first ? values->array().front().string() : "strange";
    }
    choice /= 3;
  }
  return labels;
}

void CheckAnswers(InternTables& intern, const SelectorBlock& selector, const Value& written) {
  for (unsigned choice = 0; choice < 27; ++choice) {
    const Labels labels = LabelsAbout(written, choice);
    std::vector<berth::api::TextPair> pairs;
    for (const auto& [key, value] : labels) pairs.push_back({key, value});
    const bool matches = selector.Matches(berth::api::MakeLabels(intern, pairs)->abi);
    const bool wanted = selector.error().empty() && SlowlyMatches(written, labels);
    Require(matches == wanted, "it matches what the rules say");
  }
}

// Decodes a pod with the selector in a spread constraint, with another parser. Call it only if both parsers accept it.
void CheckInPod(InternTables& intern, const SelectorRef& selector, const Value& written) {
  const std::string text = R"({"metadata":{"name":"p"},"spec":{"topologySpreadConstraints":[{"labelSelector":)" +
                           berth::json::Dump(written) + "}]}}";
  const auto pod = berth::api::DecodePod(intern, text);
  Require(pod && (*pod)->spread().selectors.size() == 1, "a pod may have it");
  Require((*pod)->spread().selectors[0] == selector, "a pod has the same");
}

void CheckLabelSelector(InternTables& intern, const Value& document) {
  const SelectorRef selector = berth::api::ReadLabelSelector(intern, document);
  const Value written = Written(intern, selector->abi);
  const auto read = berth::json::Parse(berth::json::Dump(written));
  Require(read.has_value(), "what is written is JSON");
  Require(berth::api::ReadLabelSelector(intern, *read) == selector, "what is written is the same");
  CheckInPod(intern, selector, *read);
  CheckAnswers(intern, *selector, *read);
  size_t complaints = 0;
  const auto count = [&](std::string_view, std::string_view detail) {
    Require(!detail.empty(), "a complaint says something");
    ++complaints;
  };
  const auto compiled = berth::api::LabelSelector::Compile(intern, &*read, count);
  Require((compiled == nullptr) == (complaints > 0), "refused if and only if there are complaints");
  Require((complaints == 0) == selector->error().empty(), "both ways judge alike");
}

void CheckNodeSelector(InternTables& intern, const Value& document) {
  const SelectorRef labels = berth::api::ReadLabelMapSelector(intern, document);  // the reader accepts any map
  const auto nobody = [](std::string_view, std::string_view) {};
  const auto affinity = berth::api::CompileNodeAffinity(intern, document, nobody);
  const auto terms = berth::api::ReadNodeSelector(intern, document);
  const auto none = berth::api::MakeLabels(intern, {});
  for (const auto& block : {affinity, terms}) {
    if (!block) continue;
    const berth::api::NodeFacts node{&none->abi, intern.metadata_name};
    bool any = (block->abi.has & BERTH_NODE_AFFINITY_REQUIRED) == 0;
    for (uint32_t i = 0; i < block->abi.required.n; ++i) {
      any |= berth::api::TermMatches(intern, *BERTH_AT(block->abi.required, berth_node_term, i), node);
    }
    Require(any == berth::api::RequiredMatches(intern, block->abi, node), "one term is enough");
  }
  if (affinity) {
    Require(berth::api::RequiredTermErrors(intern, affinity->abi).empty(), "what was compiled parses");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document = berth::json::Parse({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  InternTables& intern = Words();
  CheckLabelSelector(intern, *document);
  CheckNodeSelector(intern, *document);
  RequireNothingLeft();
  return 0;
}
