#include "scheduler/framework/extender.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace berth::framework {

Extender::Extender(ExtenderTraits traits, const std::vector<std::string>& managed, api::InternTables& intern)
    : traits_(std::move(traits)) {
  for (const std::string& name : managed) managed_.emplace_back(intern.ids, name);
}

bool Extender::IsInterested(const api::Pod& pod) const {
  if (managed_.empty()) return true;
  const auto names_managed = [this](const berth_list& amounts) {
    for (uint32_t i = 0; i < amounts.n; ++i) {
      const base::Id name = BERTH_AT(amounts, berth_amount, i)->name;
      if (std::any_of(managed_.begin(), managed_.end(), [&](const auto& id) { return id.get() == name; })) return true;
    }
    return false;
  };
  const berth_list& containers = pod.abi.resources->containers;
  for (uint32_t i = 0; i < containers.n; ++i) {
    const auto* container = BERTH_AT(containers, berth_container, i);
    if (names_managed(container->requests) || names_managed(container->limits)) return true;
  }
  return false;
}

std::string VictimNotFoundText(std::string_view extender, std::string_view uid, std::string_view node) {
  // Upstream prints a pointer to a struct, so the uid has the prefix &{.
  return "extender: " + std::string(extender) + " claims to preempt pod (UID: &{" + std::string(uid) +
         "}) on node: " + std::string(node) + ", but the pod is not found on that node";
}

std::string NodeNotFoundText(std::string_view node) { return "nodeinfo not found for node name " + base::Quoted(node); }

std::string NoVictimText(std::string_view node) {
  return "expected at least one victim pod on node " + base::Quoted(node);
}

}  // namespace berth::framework
