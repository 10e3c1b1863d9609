// Which resource names count. Source: pkg/apis/core/v1/helper/helpers.go, pkg/scheduler/util/utils.go.
#include "api/label_syntax.h"
#include "api/resources.h"

namespace berth::api {
namespace {

constexpr std::string_view kNativeDomain = "kubernetes.io/";
constexpr std::string_view kQuotaPrefix = "requests.";

}  // namespace

bool IsExtendedResourceName(std::string_view name) {
  if (name.find('/') == std::string_view::npos || name.find(kNativeDomain) != std::string_view::npos ||
      name.starts_with(kQuotaPrefix)) {
    return false;
  }
  return IsLabelKey(std::string(kQuotaPrefix).append(name));
}

bool IsScalarResourceName(std::string_view name) {
  return name.starts_with("hugepages-") || name.starts_with("attachable-volumes-") ||
         name.find(kNativeDomain) != std::string_view::npos || IsExtendedResourceName(name);
}

}  // namespace berth::api
