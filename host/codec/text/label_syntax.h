// The syntax of label keys and values in Kubernetes, with its error messages. Source:
// k8s.io/apimachinery/pkg/api/validate/content/{kube,dns}.go. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::text {

bool IsLabelKey(std::string_view key);
bool IsLabelValue(std::string_view value);

// Upstream's error messages; empty = valid.
std::vector<std::string> LabelKeyErrors(std::string_view key);
std::vector<std::string> LabelValueErrors(std::string_view value);

// A qualified name with a prefix that is not one of Kubernetes, and short enough for the prefix "requests.".
bool IsExtendedResourceName(std::string_view name);

}  // namespace berth::text
