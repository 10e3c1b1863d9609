#include "api/taints_against.h"

#include <algorithm>

namespace berth::api {
namespace {

bool Tolerates(const InternTables& intern, const berth_toleration& t, const berth_taint& taint) {
  if (t.effect != BERTH_ID_EMPTY && t.effect != taint.effect) return false;
  if (t.key != BERTH_ID_EMPTY && t.key != taint.key) return false;
  const std::string_view op = intern.ids.Text(t.op);
  if (op.empty() || op == "Equal") return t.value == taint.value;
  return op == "Exists";
}

bool Tolerated(const InternTables& intern, const berth_tolerations& tolerations, const berth_taint& taint) {
  for (uint32_t i = 0; i < tolerations.items.n; ++i) {
    if (Tolerates(intern, *BERTH_AT(tolerations.items, berth_toleration, i), taint)) return true;
  }
  return false;
}

std::string Text(const InternTables& intern, const berth_taint& taint) {
  std::string text(intern.ids.Text(taint.key));
  if (taint.value != BERTH_ID_EMPTY) text += "=" + std::string(intern.ids.Text(taint.value));
  return text + ":" + std::string(intern.ids.Text(taint.effect));
}

}  // namespace

TaintsAgainst FindTaintsAgainst(const InternTables& intern, const Pod& pod, const Node& node) {
  TaintsAgainst found;
  for (uint32_t i = 0; i < node.abi.taints.n; ++i) {
    const berth_taint& taint = *BERTH_AT(node.abi.taints, berth_taint, i);
    if (Tolerated(intern, *pod.abi.tolerations, taint)) continue;
    const bool preference = intern.ids.Text(taint.effect) == "PreferNoSchedule";
    (preference ? found.disliked : found.refusing).push_back(Text(intern, taint));
  }
  return found;
}

}  // namespace berth::api
