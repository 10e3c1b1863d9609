// Checks selectors like upstream's parsers, with their error texts. Source: k8s.io/apimachinery/pkg/labels/selector.go
// NewRequirement, k8s.io/component-helpers/scheduling/corev1/nodeaffinity,
// k8s.io/apimachinery/pkg/util/validation/field. Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/intern_tables.h"
#include "api/selector_block.h"
#include "berth/pod.h"

namespace berth::api {

struct FieldError {
  std::string path, detail;  // detail: "Invalid value: ...", "Unsupported value: ..."
};

// Base-10 int64 with an optional sign, nothing else.
bool ParseInt64(std::string_view text, int64_t& number);

// `Invalid value: "x": why`; the second form has a list as the value.
std::string InvalidText(std::string_view value, std::string_view why);
std::string InvalidTexts(const std::vector<std::string_view>& values, std::string_view why);

// Appends the errors of a label requirement's key and values. count_error: the error for the number of values, "":
// none.
void CheckLabelRequirement(const std::string& path, std::string_view key, const std::vector<std::string_view>& values,
                           std::string_view count_error, bool integers, std::vector<FieldError>& errors);

// The meaning of a label selector's operator; nullopt: unknown. NotALabelOperator is upstream's error for it.
std::optional<LabelOp> LabelOpOf(std::string_view op);
std::string NotALabelOperator(std::string_view op);
// The error for this number of values; "": none.
std::string_view LabelOpCountError(LabelOp op, size_t n_values);
// The error of the first invalid requirement of a label selector; "": none.
std::string LabelSelectorError(const InternTables& intern, const berth_selector& selector);

// Formats errors like upstream's aggregate: one text as it is, several in brackets, without duplicates.
std::string AggregateText(const std::vector<FieldError>& errors);

// Appends the errors of a term, under the path ("nodeSelectorTerms[0]"). An empty term has none.
void CheckNodeTerm(const InternTables& intern, const berth_node_term& term, const std::string& path,
                   std::vector<FieldError>& errors);
// The errors of all terms of the required and of the preferred list. Puts `prefix` before each path.
void CheckRequired(const InternTables& intern, const berth_node_affinity& affinity, const std::string& prefix,
                   std::vector<FieldError>& errors);
void CheckPreferred(const InternTables& intern, const berth_node_affinity& affinity, const std::string& prefix,
                    std::vector<FieldError>& errors);

}  // namespace berth::api
