// What Kubernetes lets a label key, a label value and an extended resource be called; complaints in apimachinery's
// words (k8s.io/apimachinery/pkg/api/validate/content). Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::config {

// Empty when the key ("name" or "prefix.example/name") is fine. "Qualified names" follow the same rules.
std::vector<std::string> LabelKeyFaults(std::string_view key);
std::vector<std::string> LabelValueFaults(std::string_view value);
// A qualified name with a prefix that is not Kubernetes' own and leaves room for "requests." before it.
bool IsExtendedResourceName(std::string_view name);

}  // namespace berth::config
