#include "cmd/berthctl/validate/rules.h"

#include <algorithm>
#include <iterator>

#include "cmd/berthctl/validate/checks.h"
#include "plugin/loader/rule.h"

namespace berth::validate {
namespace {

constexpr Rule kRules[] = {
    {70, false, Needs::kNothing, &CheckProcessAfterLoading, "loading does not change the process",
     "After the library is mapped, the process has the same descriptors, threads, signal dispositions, environment, "
     "working directory, umask, locale, limits, and floating-point mode as before. Static constructors run in the "
     "scheduler while it schedules."},
    {71, false, Needs::kNothing, &CheckHostMinors, "works with older and newer hosts",
     "The rule calls berth_entry_v1 with the minors 0, this host's, and one that is seven later. It must return a "
     "complete table that describes the plugins of the note, or NULL to a host that is older than the note's "
     "minHost."},
    {72, false, Needs::kNothing, &CheckDescribe, "describe() knows its bounds",
     "describe(i) must return NULL from count() on. It must return the same descriptor each time, without delay."},
    {73, false, Needs::kNothing, &CheckCreate, "create() returns the named plugin and nothing else",
     "create() must return NULL for a name that the library does not have, and extension() for an id that nobody "
     "knows. create() must not call the host: the host calls init() for that."},
    {kStarts, true, Needs::kNothing, &CheckStarts, "starts in the host",
     "With completed args, the host creates, initializes, and activates the plugin, checks that every table that "
     "the note announces is complete, and destroys the plugin. If the plugin requires args, pass them with --args."},
    {kAttempt, true, Needs::kStart, &CheckAttempts, "follows the ABI through whole attempts",
     "Berth's own host schedules pods, and then the rule takes each pod from PreEnqueue to PostBind on the fake host. "
     "At every point the plugin must return in time, with a status of that point, a text with ERROR, verdicts and "
     "scores for the requested rows only, reasons made in the same call, and normalized scores from 0 to 100. It may "
     "drop only ids that it owns, and call only functions of the host that are allowed there. The definitions of its "
     "metrics must be valid, and the values that it records must be finite.",
     std::chrono::seconds(20)},
    {81, true, Needs::kAttempt, &CheckOrders, "starts and ends in any order",
     "The host may destroy an instance that was never activated. An instance may live beside another one, and end "
     "before or after it."},
    {82, true, Needs::kAttempt, &CheckLeavesNothing, "leaks nothing",
     "After the host created, used, and destroyed a hundred instances, the process must not have more descriptors, "
     "threads, or heap in use than before. Every change of a policy creates and destroys instances.",
     std::chrono::seconds(30)},
    {83, true, Needs::kStart, &CheckExtensions, "offers the points that it announces",
     "extension() must return NULL for ids that it does not know, with or without a number. The host never calls a "
     "point that the note does not name."},
    {84, true, Needs::kAttempt, &CheckProcessAtWork, "running does not change the process",
     "As BP-70, after the rule created, used, and destroyed an instance."},
    {90, true, Needs::kNothing, &CheckArgsValidator, "checks its args",
     "complete() must report errors or write one JSON object, and must not change that object when it completes it "
     "again. It must refuse unknown fields, values of another type, and args that are not an object, with a text."},
    {91, true, Needs::kStart, &CheckWrongArgs, "handles invalid args",
     "init() may get args that nobody checked: unknown fields, values of another type, texts that are not UTF-8 or "
     "very long. It must return SUCCESS, or ERROR with a text."},
    {100, true, Needs::kStart, &CheckTightTables, "reads no further than the host's tables",
     "Each table of Berth's own host ends at the end of a read-only page, and the next page cannot be read, as on a "
     "host of ABI minor 0. Check BERTH_HAS before you use a member that was added to a table later."},
    {101, true, Needs::kAttempt, &CheckMissingServices, "works without a service, or says why not",
     "The rule removes each service in turn. The plugin must work without it, or init() or activate() must return "
     "ERROR with a text."},
    {102, true, Needs::kAttempt, &CheckLaterHost, "works on a newer host",
     "Every table of the host is longer than this ABI's. A call of a new member ends the process."},
    {103, true, Needs::kStart, &CheckInputs, "does not write to data of the host",
     "Other plugins read the same bytes. Therefore pods, nodes, columns, rows, verdicts, events, objects, args, and "
     "texts are in pages that are read-only while the plugin runs. A write through a const pointer ends the process "
     "in every rule; this rule makes every call."},
    {111, true, Needs::kAttempt, &CheckRows, "answers for the requested rows only",
     "Filter and Score get no, one, two, 63 to 65, 255 to 257, and 5000 rows, with gaps between them. out ends or "
     "begins at a page that cannot be accessed, and the rows are read-only. The answers must equal those of a call "
     "for all rows."},
    {112, true, Needs::kAttempt, &CheckSameAgain, "repeats its answers",
     "The plugin must return the same answer to the same call twice in a row, and in two instances. A plugin that "
     "needs random numbers uses the attempt's seed from the host."},
    {113, true, Needs::kAttempt, &CheckChunks, "answers the same for any split of the rows",
     "The rule calls the plugin for all rows, and for parts of 1, 64, and 256 rows, the last part first. The "
     "answers must be the same. The host splits rows in any way."},
    {114, true, Needs::kAttempt, &CheckThreads, "works on many threads",
     "Eight threads call the plugin at the same time and must get the answers of a single thread. A plugin that "
     "cannot do this sets BERTH_F_SERIAL_ONLY."},
    {115, true, Needs::kAttempt, &CheckOddPods, "handles unusual pods",
     "Pods without any field, with a thousand labels or a hundred containers, with amounts near the limit of an "
     "int64, with unknown texts and operators, and on nodes that do not exist."},
    {116, true, Needs::kAttempt, &CheckReuse, "declares what its answers depend on",
     "A table that sets BERTH_REUSE names parts of the pod, the row, and the cluster. If anything else changes, the "
     "answers must stay the same: the host does not call the plugin again."},
    {117, true, Needs::kAttempt, &CheckTrials, "changes no verdict by a trial",
     "The rule adds pods to a copy of the attempt and removes them again, as preemption and nominated pods do. Then "
     "every verdict must be the same as before, in the copy and in the attempt itself."},
    {118, true, Needs::kAttempt, &CheckInTheHost, "schedules pods in the host",
     "Berth's own host schedules a few plain pods with this plugin in the profile. It checks all answers and "
     "recomputes kept results. No attempt may fail, not even with an ERROR and a text."},
    {119, true, Needs::kAttempt, &CheckEmptyCluster, "handles a cluster without nodes",
     "A cluster can have no nodes, for example when the scheduler starts together with the cluster."},
    {120, true, Needs::kStart, &CheckBinding, "ends what it began for a pod",
     "The rule calls Unreserve twice, and without Reserve. Permit must not wait for zero time. PreBind and Bind "
     "must end with their status, or return LATER and call done() exactly once, with a reason if it is an error."},
    {121, true, Needs::kAttempt, &CheckMemory, "handles out-of-memory errors",
     "While the plugin is created and started, and in PreFilter, Filter, PreScore, Score, and Reserve, the rule "
     "lets the first 64 allocations fail, one at a time. The plugin must return ERROR, or the same answer as "
     "without the failure. An exception that leaves the plugin, a crash, or another decision fails the rule. "
     "abort() is a warning: it ends the whole scheduler, but on purpose.",
     std::chrono::seconds(60)},
    {122, true, Needs::kStart, &CheckCancelling, "returns when an attempt is canceled",
     "cycle->cancelled() says that the answer is no longer needed. Calls over 2000 rows, and a PreBind that blocks "
     "its thread, must return within 500 ms; more than a second fails. A PreBind that returned LATER must end its "
     "operation after its Unreserve, once; more than ten seconds of the host's clock are a warning.",
     std::chrono::seconds(60)},
    {130, true, Needs::kAttempt, &CheckEvents, "handles events",
     "interests() must return the same list each time. hints() gets additions, deletions, and changes, for pods of "
     "every kind and for no pods."},
    {131, true, Needs::kAttempt, &CheckObjects, "handles objects",
     "Objects arrive without their usual fields, change twenty thousand times, and are deleted although the plugin "
     "never saw them."},
    {132, true, Needs::kAttempt, &CheckDeltas, "counts additions and removals",
     "After nodes and pods were added and removed again, the counts must be the same: dump() must write the same "
     "text as before."},
    {140, true, Needs::kAttempt, &CheckHandover, "loads a handed-over state or refuses it",
     "load() gets what save() of the same version wrote, and states that are truncated, damaged, invented, or of "
     "another version. It must load, skip, or refuse each, and the plugin must continue to work."},
    {141, true, Needs::kAttempt, &CheckGenerations, "works beside another generation of itself",
     "The rule maps a copy of the library with another digest, as a hot swap does. Both must work, and either may "
     "end first."},
    {142, true, Needs::kAttempt, &CheckSuccession, "prepares its successor",
     "prepare() must make an instance that starts with the same args. The host may destroy it before its first "
     "call, or let it replace the current instance with commit(). Calls of both instances alternate, and the "
     "current one ends first."},
    {150, true, Needs::kStart, &CheckSpeed, "answers in time",
     "Measures Filter and Score over 1000 rows, in nanoseconds per row, on the validator's own host, which is "
     "slower than the scheduler. More than 20 microseconds are a warning. A call of more than a second fails the "
     "pod's attempt.",
     std::chrono::seconds(60)},
    {kFuzz, true, Needs::kAttempt, &Fuzz, "handles random clusters and pods",
     "With --fuzz SECONDS: calls every point with random clusters and pods, and compares the answers for some rows "
     "with those for all rows. The report has the seed; --seed starts with it again."},
};

std::string Id(int number) { return "BP-" + std::to_string(number); }

}  // namespace

std::span<const Rule> Rules() { return kRules; }

std::string IdOf(const Rule& rule) { return Id(rule.number); }

std::vector<RuleText> AllRuleTexts() {
  std::vector<std::pair<int, RuleText>> numbered;
  for (const loader::RuleInfo& info : loader::AllRules()) {
    numbered.push_back({static_cast<int>(info.rule), {loader::RuleId(info.rule), info.title, info.explanation}});
  }
  for (const Rule& rule : kRules) numbered.push_back({rule.number, {IdOf(rule), rule.title, rule.explanation}});
  std::sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<RuleText> texts;
  for (auto& [number, text] : numbered) texts.push_back(std::move(text));
  return texts;
}

std::optional<RuleText> Explain(std::string_view id) {
  if (const loader::RuleInfo* info = loader::Explain(id)) {
    return RuleText{loader::RuleId(info->rule), info->title, info->explanation};
  }
  if (id.size() > 3 && (id.starts_with("BP-") || id.starts_with("bp-"))) id.remove_prefix(3);
  for (const Rule& rule : kRules) {
    if (std::to_string(rule.number) == id) return RuleText{IdOf(rule), rule.title, rule.explanation};
  }
  return std::nullopt;
}

}  // namespace berth::validate
