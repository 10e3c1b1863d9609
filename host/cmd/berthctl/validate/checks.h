// The functions of the rules in rules.cc. Each runs on the main thread of a child process, which may end at any moment,
// and reports to findings. rules.cc has titles and explanations.
#pragma once

#include "cmd/berthctl/validate/findings.h"
#include "cmd/berthctl/validate/subject.h"

namespace berth::validate {

// check_loading.cc: of the library
void CheckProcessAfterLoading(const Subject& subject, Findings& findings);
void CheckHostMinors(const Subject& subject, Findings& findings);
void CheckDescribe(const Subject& subject, Findings& findings);
void CheckCreate(const Subject& subject, Findings& findings);
// check_lifecycle.cc: from here on of a plugin
void CheckStarts(const Subject& subject, Findings& findings);
void CheckOrders(const Subject& subject, Findings& findings);
void CheckLeavesNothing(const Subject& subject, Findings& findings);
void CheckExtensions(const Subject& subject, Findings& findings);
void CheckProcessAtWork(const Subject& subject, Findings& findings);
// check_args.cc
void CheckArgsValidator(const Subject& subject, Findings& findings);
void CheckWrongArgs(const Subject& subject, Findings& findings);
// check_hosts.cc
void CheckTightTables(const Subject& subject, Findings& findings);
void CheckMissingServices(const Subject& subject, Findings& findings);
void CheckLaterHost(const Subject& subject, Findings& findings);
// check_inputs.cc
void CheckInputs(const Subject& subject, Findings& findings);
// check_attempts.cc
void CheckAttempts(const Subject& subject, Findings& findings);
void CheckOddPods(const Subject& subject, Findings& findings);
void CheckEmptyCluster(const Subject& subject, Findings& findings);
void CheckInTheHost(const Subject& subject, Findings& findings);
// check_batches.cc
void CheckRows(const Subject& subject, Findings& findings);
void CheckSameAgain(const Subject& subject, Findings& findings);
void CheckChunks(const Subject& subject, Findings& findings);
void CheckThreads(const Subject& subject, Findings& findings);
void CheckSpeed(const Subject& subject, Findings& findings);
// check_reuse.cc
void CheckReuse(const Subject& subject, Findings& findings);
// check_trials.cc
void CheckTrials(const Subject& subject, Findings& findings);
// check_binding.cc
void CheckBinding(const Subject& subject, Findings& findings);
// check_memory.cc
void CheckMemory(const Subject& subject, Findings& findings);
// check_cancel.cc
void CheckCancelling(const Subject& subject, Findings& findings);
// check_changes.cc
void CheckEvents(const Subject& subject, Findings& findings);
void CheckObjects(const Subject& subject, Findings& findings);
void CheckDeltas(const Subject& subject, Findings& findings);
// check_swap.cc
void CheckHandover(const Subject& subject, Findings& findings);
void CheckGenerations(const Subject& subject, Findings& findings);
// check_succession.cc
void CheckSuccession(const Subject& subject, Findings& findings);
// fuzz.cc
void Fuzz(const Subject& subject, Findings& findings);

}  // namespace berth::validate
