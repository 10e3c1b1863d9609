#include "reload/announcer/swap_event.h"

#include <cstdlib>

#include "base/text.h"

namespace berth::announcer {
namespace {

constexpr size_t kLongestNote = 1024;  // bytes; the API server refuses more

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string Shortened(std::string note) {
  if (note.size() <= kLongestNote) return note;
  note.resize(kLongestNote - 3);
  while (!note.empty() && (note.back() & 0x80) != 0) note.pop_back();  // not within a character
  return note + "...";
}

}  // namespace

events::ObjectReference OwnObject(const config::Configuration& configuration) {
  const std::string ns = Environment("POD_NAMESPACE"), name = Environment("POD_NAME");
  if (!ns.empty() && !name.empty()) return {ns, name, Environment("POD_UID"), ""};
  const auto& lease = configuration.leader_election;
  return {lease.resource_namespace, lease.resource_name, "", "", "Lease", "coordination.k8s.io/v1"};
}

std::optional<events::EventRecord> SwapEvent(const reload::Report& report, const events::ObjectReference& about) {
  events::EventRecord record{.regarding = about, .scheduler_name = "berth-scheduler", .type = "Warning"};
  record.action = "Publishing";
  const std::string generation = "generation " + std::to_string(report.generation);
  switch (report.result) {
    case reload::Result::kUnchanged: return std::nullopt;
    case reload::Result::kPublished:
      record.type = "Normal";
      record.reason = "PolicyPublished";
      record.note = "Published " + generation + ": " + base::Join(report.changes, "; ");
      break;
    case reload::Result::kRejected:
      record.reason = "PolicyRejected";
      record.note = "Rejected a policy change at step " + report.step + ", " + generation +
                    " stays active: " + base::Join(report.problems, "; ");
      break;
    case reload::Result::kRolledBack:
      record.reason = "PolicyRolledBack";
      record.note = "Rolled back to the previous policy as " + generation + ": " + base::Join(report.causes, "; ");
      break;
  }
  record.note = Shortened(std::move(record.note));
  record.occasion = record.note;
  return record;
}

}  // namespace berth::announcer
