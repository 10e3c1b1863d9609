#include "scheduler/engine/binding_reports.h"

#include <optional>
#include <utility>

namespace berth::engine {

void BindingReports::SetNominatedNode(bind::BindJob& job) {
  if (intern_.ids.Text(job.pod->abi.nominated_node) == job.node_name) return;
  writes_.PatchStatus(job.pod, {.nominated_node = job.node_name});
}

void BindingReports::PermitOver(bind::BindJob& job) {
  inbox_.Post(engine::PermitOver{.uid = std::string(job.pod->uid())});
}

void BindingReports::BoundByExtender(bind::BindJob& job) { writes_.BoundByExtender(*job.pod, job.node_name); }

void BindingReports::Finished(bind::BindJob& job, plugin::Status status, bool at_permit) {
  inbox_.Post(BindingFinished{.job = &job, .status = std::move(status), .at_permit = at_permit});
}

}  // namespace berth::engine
