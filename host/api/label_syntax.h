// What Kubernetes accepts as label keys and values, and what it says about others.
// Source: k8s.io/apimachinery/pkg/api/validate/content/{kube,dns}.go. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::api {

bool IsLabelKey(std::string_view key);
bool IsLabelValue(std::string_view value);

// Upstream's complaints; empty = fine.
std::vector<std::string> LabelKeyErrors(std::string_view key);
std::vector<std::string> LabelValueErrors(std::string_view value);

}  // namespace berth::api
