// Checks selectors like upstream's parsers, with their error texts. Source: k8s.io/apimachinery/pkg/labels/selector.go
// NewRequirement, k8s.io/component-helpers/scheduling/corev1/nodeaffinity,
// k8s.io/apimachinery/pkg/util/validation/field. Thread: any.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_path.h"
#include "api/intern_tables.h"
#include "api/selector_block.h"
#include "berth/pod.h"

namespace berth::api {

struct FieldError {
  std::string path, detail;  // detail: "Invalid value: ...", "Unsupported value: ..."
};

// Base-10 int64 with an optional sign, nothing else.
bool ParseInt64(std::string_view text, int64_t& number);

// The values of a requirement, as texts or as ids in a block. Borrows them.
class RequirementValues {
 public:
  explicit RequirementValues(std::span<const std::string_view> texts) : texts_(texts.data()), n_(texts.size()) {}
  RequirementValues(const InternTables& intern, const berth_list& ids) : intern_(&intern), ids_(ids), n_(ids.n) {}

  size_t size() const { return n_; }
  std::string_view operator[](size_t i) const {
    return intern_ != nullptr ? intern_->ids.Text(*BERTH_AT(ids_, berth_id, i)) : texts_[i];
  }

 private:
  const InternTables* intern_ = nullptr;
  berth_list ids_{};
  const std::string_view* texts_ = nullptr;
  size_t n_ = 0;
};

// A requirement whose operator is known. count_error: the operator's error for the number of values, "": none.
// integers: the operator compares numbers.
struct LabelRequirement {
  std::string_view key;
  RequirementValues values;
  std::string_view count_error;
  bool integers = false;
};

// `Invalid value: "x": why`; the second form has a list as the value.
std::string InvalidText(std::string_view value, std::string_view why);
std::string InvalidTexts(const RequirementValues& values, std::string_view why);

// Appends the errors of a requirement's key and values.
void CheckLabelRequirement(const FieldPath& path, const LabelRequirement& requirement, std::vector<FieldError>& errors);

// The meaning of a label selector's operator; nullopt: unknown. NotALabelOperator is upstream's error for it.
std::optional<LabelOp> LabelOpOf(std::string_view op);
std::string NotALabelOperator(std::string_view op);
// The error for this number of values; "": none.
std::string_view LabelOpCountError(LabelOp op, size_t n_values);
// The error of the first invalid requirement of a label selector; "": none.
std::string LabelSelectorError(const InternTables& intern, const berth_selector& selector);

// Formats errors like upstream's aggregate: one text as it is, several in brackets, without duplicates.
std::string AggregateText(const std::vector<FieldError>& errors);

// Appends the errors of a term at this path. An empty term has none.
void CheckNodeTerm(const InternTables& intern, const berth_node_term& term, const FieldPath& path,
                   std::vector<FieldError>& errors);
// The errors of all terms of the required list, which is "nodeSelectorTerms" in `selector`, and of the preferred list,
// whose name is `list` ("": paths start with the index).
void CheckRequired(const InternTables& intern, const berth_node_affinity& affinity, const FieldPath& selector,
                   std::vector<FieldError>& errors);
void CheckPreferred(const InternTables& intern, const berth_node_affinity& affinity, std::string_view list,
                    std::vector<FieldError>& errors);

}  // namespace berth::api
