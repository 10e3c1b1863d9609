// Judges selectors as upstream's parsers do, with their texts. Source: apimachinery/pkg/labels/selector.go
// NewRequirement, component-helpers/scheduling/corev1/nodeaffinity, apimachinery/pkg/util/validation/field. Thread:
// any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector_block.h"
#include "api/vocabulary.h"
#include "berth/pod.h"

namespace berth::api {

struct FieldError {
  std::string path, detail;  // detail: "Invalid value: ...", "Unsupported value: ..."
};

// Base-10 int64 with an optional sign, nothing else.
bool ParseInt64(std::string_view text, int64_t& number);

// `Invalid value: "x": why`, and with a list as the value.
std::string InvalidText(std::string_view value, std::string_view why);
std::string InvalidTexts(const std::vector<std::string_view>& values, std::string_view why);

// Complaints about a label requirement's key and values; count_error: what is wrong with the number of values, "" =
// nothing.
void CheckLabelRequirement(const std::string& path, std::string_view key, const std::vector<std::string_view>& values,
                           std::string_view count_error, bool integers, std::vector<FieldError>& errors);

// What a label selector's operator means; nullopt: it is none, which NotALabelOperator says as upstream does.
std::optional<LabelOp> LabelOpOf(std::string_view op);
std::string NotALabelOperator(std::string_view op);
// What is wrong with that many values, "" = nothing.
std::string_view LabelOpCountError(LabelOp op, size_t n_values);
// Why a label selector does not compile, in the text of the first requirement at fault; "" = it does.
std::string LabelSelectorError(const Vocabulary& words, const berth_selector& selector);

// As upstream's aggregate prints: one text as it is, several in brackets, repeated ones once.
std::string AggregateText(const std::vector<FieldError>& errors);

// Complaints about a term, under path ("nodeSelectorTerms[0]"). An empty term has none.
void CheckNodeTerm(const Vocabulary& words, const berth_node_term& term, const std::string& path,
                   std::vector<FieldError>& errors);
// All terms of the required and of the preferred list; prefix is put before each path.
void CheckRequired(const Vocabulary& words, const berth_node_affinity& affinity, const std::string& prefix,
                   std::vector<FieldError>& errors);
void CheckPreferred(const Vocabulary& words, const berth_node_affinity& affinity, const std::string& prefix,
                    std::vector<FieldError>& errors);

}  // namespace berth::api
