#include "controllers/rules/pod_requests.h"

#include <utility>

namespace berth::rules {

Amounts RequestsOf(PodRequestParts parts) {
  Amounts sum, largest;
  for (const Amounts& container : parts.containers) Add(sum, container);
  for (const Amounts& container : parts.init_containers) RaiseTo(largest, container);
  RaiseTo(sum, largest);
  Add(sum, parts.overhead);
  return sum;
}

}  // namespace berth::rules
