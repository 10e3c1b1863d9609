#include "main/swap_event.h"

#include <cstdlib>

#include "base/text.h"

namespace berth {
namespace {

constexpr size_t kLongestNote = 1024;  // bytes; the API server refuses more

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string Shortened(std::string note) {
  if (note.size() <= kLongestNote) return note;
  note.resize(kLongestNote - 3);
  while (!note.empty() && (note.back() & 0x80) != 0) note.pop_back();  // no half character
  return note + "...";
}

}  // namespace

dispatch::ObjectReference OwnObject(const config::Configuration& configuration) {
  const std::string ns = Environment("POD_NAMESPACE"), name = Environment("POD_NAME");
  if (!ns.empty() && !name.empty()) return {ns, name, Environment("POD_UID"), ""};
  const auto& lease = configuration.leader_election;
  return {lease.resource_namespace, lease.resource_name, "", "", "Lease", "coordination.k8s.io/v1"};
}

std::optional<dispatch::EventRecord> SwapEvent(const swap::Report& report, const dispatch::ObjectReference& about) {
  dispatch::EventRecord record{.regarding = about, .scheduler_name = "berth-scheduler", .type = "Warning"};
  record.action = "Swapping";
  const std::string generation = "generation " + std::to_string(report.generation);
  switch (report.result) {
    case swap::Result::kUnchanged: return std::nullopt;
    case swap::Result::kPublished:
      record.type = "Normal";
      record.reason = "PolicyInForce";
      record.note = generation + " decides: " + base::Join(report.changes, "; ");
      break;
    case swap::Result::kRefused:
      record.reason = "PolicyRefused";
      record.note = generation + " decides on, the change was refused at step " + report.step + ": " +
                    base::Join(report.problems, "; ");
      break;
    case swap::Result::kRolledBack:
      record.reason = "PolicyRolledBack";
      record.note = generation + " decides, which is the one before: " + base::Join(report.causes, "; ");
      break;
  }
  record.note = Shortened(std::move(record.note));
  record.occasion = record.note;
  return record;
}

}  // namespace berth
