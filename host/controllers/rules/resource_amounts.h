// Lists of resources as exact sums that keep the format of their texts. Source: k8s.io/apiserver/pkg/quota/v1
// (Add, Max, Equals), and Quantity.Add in k8s.io/apimachinery/pkg/api/resource. Thread: any; values.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/quantity.h"
#include "base/result.h"
#include "codec/json/value.h"
#include "codec/text/quantity_text.h"

namespace berth::rules {

struct Amount {
  base::Quantity quantity;
  text::QuantityFormat format = text::QuantityFormat::kDecimalSi;
  std::string Text() const { return text::QuantityText(quantity, format); }
};

using Amounts = std::map<std::string, Amount, std::less<>>;  // by resource name

// A sum has the format of its first part that is not zero.
void Add(Amounts& to, const Amounts& more);
// Raises each amount to that of other.
void RaiseTo(Amounts& to, const Amounts& other);
// The same names with the same quantities; formats do not count.
bool Equal(const Amounts& a, const Amounts& b);

// The resource list at a dotted path; empty if it is absent. Error: "spec.max[cpu]: " and what is wrong.
base::Result<Amounts> AmountsAt(const json::Value& object, const char* path);

}  // namespace berth::rules
