#include "controllers/rules/pod_group_phase.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"

namespace berth::rules {
namespace {

using namespace group_phase;

constexpr int64_t kLongestScheduling = int64_t{48} * 3600 * base::kSecond;

std::string OccupiedBy(const std::string& ns, const std::vector<std::string>& owners) {
  std::vector<std::string> texts;
  for (const std::string& owner : owners) texts.push_back(ns + "/" + owner);
  std::sort(texts.begin(), texts.end());
  return base::Join(texts, ",");
}

bool HasQuorum(const GroupMembers& members, int64_t quorum) { return members.running + members.succeeded >= quorum; }

// Enough pods had started, and too few of them are left.
bool CannotGoOn(const GroupMembers& members, int64_t quorum) {
  const int64_t started = members.failed + members.running + members.succeeded;
  return started >= quorum && members.total - members.failed < quorum;
}

const char* PhaseOf(const GroupMembers& members, int64_t quorum) {
  if (members.total < quorum) return kPending;
  if (members.succeeded >= quorum) return kFinished;
  if (HasQuorum(members, quorum)) return kRunning;
  return CannotGoOn(members, quorum) ? kFailed : kScheduling;
}

void Count(const GroupMembers& members, int64_t quorum, PodGroupStatus& status) {
  status.running = members.running;
  status.succeeded = members.succeeded;
  status.failed = members.failed;
  status.phase = PhaseOf(members, quorum);
}

void LeavePending(const PodGroup& group, const GroupMembers& members, PodGroupStatus& status) {
  status.phase = kScheduling;
  if (!members.owners.empty()) status.occupied_by = OccupiedBy(group.meta.ns, members.owners);
}

}  // namespace

PodGroupStatus NextStatus(const PodGroup& group, const GroupMembers& members) {
  PodGroupStatus next = group.status;
  const int64_t quorum = std::max<int64_t>(1, group.min_member);
  if (next.phase.empty()) {
    next.phase = kPending;
  } else if (next.phase == kPending) {
    if (members.total >= quorum) LeavePending(group, members, next);
  } else if (next.phase != kFinished && (next.phase != kFailed || HasQuorum(members, quorum))) {
    Count(members, quorum, next);
  }
  return next;
}

bool HasTimedOut(const PodGroup& group) {
  const PodGroupStatus& status = group.status;
  const bool waits = (status.phase == kScheduling || status.phase == kPending) && status.running == 0;
  if (!waits || group.schedule_start_unix_ns == text::kNoTime || group.meta.created_unix_ns == text::kNoTime) {
    return false;
  }
  return group.schedule_start_unix_ns - group.meta.created_unix_ns > kLongestScheduling;
}

}  // namespace berth::rules
