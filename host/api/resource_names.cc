// The names of resources that count. Source: pkg/apis/core/v1/helper/helpers.go, pkg/scheduler/util/utils.go.
#include "api/resources.h"
#include "codec/text/label_syntax.h"

namespace berth::api {
namespace {

constexpr std::string_view kNativeDomain = "kubernetes.io/";

}  // namespace

bool IsScalarResourceName(std::string_view name) {
  return name.starts_with("hugepages-") || name.starts_with("attachable-volumes-") ||
         name.find(kNativeDomain) != std::string_view::npos || text::IsExtendedResourceName(name);
}

}  // namespace berth::api
