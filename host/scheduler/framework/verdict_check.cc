#include "scheduler/framework/verdict_check.h"

#include <utility>

namespace berth::framework {

plugin::Status FilterError(const plugin::Instance& plugin, std::string text) {
  return plugin::Status{
      plugin::Code::kError, plugin.name_id(), {"running \"" + plugin.name() + "\" filter plugin: " + std::move(text)}};
}

plugin::Status CheckVerdict(plugin::Instance& plugin, const api::Node& node, const berth_verdict& verdict,
                            const plugin::ReasonTable& reasons) {
  const bool known = verdict.code == BERTH_UNSCHEDULABLE || verdict.code == BERTH_UNRESOLVABLE ||
                     verdict.code == BERTH_PENDING || verdict.code == BERTH_ERROR;
  if (!known)
    return plugin.Fault("Filter", "gave node \"" + node.name + "\" the verdict " + std::to_string(verdict.code) +
                                      ", which is no verdict,");
  if (!reasons.Valid(verdict.reasons)) {
    return plugin.Fault("Filter", "gave node \"" + node.name + "\" reasons number " + std::to_string(verdict.reasons) +
                                      ", which was never handed out,");
  }
  return {};
}

plugin::Status RowError(const plugin::Instance& plugin, const api::Node& node, const berth_verdict& verdict,
                        const plugin::ReasonTable& reasons) {
  plugin::Status status{plugin::Code::kError, 0, reasons.Texts(verdict.reasons)};
  if (status.reasons.empty()) status.reasons.push_back("node \"" + node.name + "\" got an error, and no reason");
  return FilterError(plugin, status.Message());
}

plugin::Status DiffersFromKept(plugin::Instance& plugin, const char* what, const api::Node& node) {
  return plugin.Fault(
      what, "would now answer otherwise about node \"" + node.name + "\" than it has: its reuse declares too little,");
}

bool SameVerdict(const berth_verdict& a, const berth_verdict& b, const plugin::ReasonTable& reasons) {
  if (a.code != b.code) return false;
  if (a.reasons == b.reasons) return true;
  return reasons.Valid(b.reasons) && reasons.Texts(a.reasons) == reasons.Texts(b.reasons);
}

}  // namespace berth::framework
