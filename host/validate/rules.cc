#include "validate/rules.h"

#include <algorithm>
#include <iterator>

#include "loader/rule.h"
#include "validate/checks.h"

namespace berth::validate {
namespace {

constexpr Rule kRules[] = {
    {70, false, Needs::kNothing, &CheckProcessAfterLoading, "loading changes nothing of the process",
     "After the library is mapped, the process has the descriptors, threads, signal dispositions, environment, working "
     "directory, umask, locale, limits and floating-point mode that it had before. Static constructors run in the "
     "scheduler while it schedules."},
    {71, false, Needs::kNothing, &CheckHostMinors, "speaks to older and newer hosts",
     "berth_entry_v1 is asked with the minors 0, this host's and one that is seven later. It answers a complete table "
     "that describes the plugins of the note, or NULL to a host that is older than the note's minHost."},
    {72, false, Needs::kNothing, &CheckDescribe, "describe() knows its bounds",
     "describe(i) is NULL from count() on, answers the same descriptor each time, and at once."},
    {73, false, Needs::kNothing, &CheckCreate, "create() makes what it is asked for and nothing else",
     "A name that the library does not have, however strange, is answered with NULL, and so is an id of a table that "
     "nobody knows. create() does not call the host: the host calls init() for that."},
    {kStarts, true, Needs::kNothing, &CheckStarts, "starts in the host",
     "With its args completed, the host creates, initialises and activates the plugin, finds every table complete that "
     "the note announces, and lets it go again. Args that a plugin cannot do without have to be given with --args."},
    {kAttempt, true, Needs::kStart, &CheckAttempts, "keeps the contract through whole attempts",
     "Pods are taken from PreEnqueue to PostBind. At every point: a status of that point, a text with ERROR, verdicts "
     "and scores for the rows asked for and no others, reasons made in the same call, normalised scores from 0 to 100, "
     "ids that were the plugin's to give back, and of the host only functions that may be called there.",
     std::chrono::seconds(15)},
    {81, true, Needs::kAttempt, &CheckOrders, "comes and goes in every order",
     "An instance may be destroyed without having been activated, live beside another one, and end before or after "
     "it."},
    {82, true, Needs::kAttempt, &CheckLeavesNothing, "leaves nothing behind",
     "After a hundred lives, with work in each, there are no more descriptors or threads than before, and no more of "
     "the heap in use. Every swap of a configuration is a life.",
     std::chrono::seconds(30)},
    {83, true, Needs::kStart, &CheckExtensions, "offers what it announces",
     "extension() answers NULL to ids that it does not know, with or without a number. A point that is offered and not "
     "in the note is never called."},
    {84, true, Needs::kAttempt, &CheckProcessAtWork, "work changes nothing of the process",
     "As BP-70, after a whole life with work in it."},
    {90, true, Needs::kNothing, &CheckArgsJudge, "judges its args",
     "complete() tells of errors or hands over one JSON object, which it leaves as it is when asked again. Unknown "
     "fields, values of another kind and what is no object are refused, with a text."},
    {91, true, Needs::kStart, &CheckWrongArgs, "survives wrong args",
     "init() may meet args that nobody has judged: unknown fields, other kinds of values, texts that are not UTF-8 or "
     "very long. It answers SUCCESS, or ERROR with a text."},
    {100, true, Needs::kStart, &CheckTightTables, "reads no further than the host's tables go",
     "Each table of the host ends where a page does that nobody may read beyond, and cannot be written to, as on a "
     "host "
     "of ABI minor 0. Ask BERTH_HAS before you touch a member that is newer than 1.0."},
    {101, true, Needs::kAttempt, &CheckMissingServices, "does without a service, or says so",
     "Each service in turn is absent. The plugin works without it, or init() or activate() answer ERROR with a text."},
    {102, true, Needs::kAttempt, &CheckLaterHost, "works on a later host",
     "Every table of the host is longer than this ABI's, and ends the process when what is new in it is called."},
    {103, true, Needs::kStart, &CheckInputs, "leaves what it is shown as it is",
     "Whatever the host shows is the host's, and the same bytes are shown to others: pods, nodes, columns, rows, "
     "verdicts, events, objects, args and texts lie in pages that cannot be written to while the plugin runs. A write "
     "through a const pointer ends the process, in every rule; this one makes every call there is."},
    {111, true, Needs::kAttempt, &CheckRows, "answers exactly the rows it is asked for",
     "Filter and Score are asked for no, one, two, 63 to 65, 255 to 257 and 5000 rows, with gaps between them. out "
     "ends "
     "at a wall, or begins at one, and the rows cannot be written to. The answers are those of a call for all rows."},
    {112, true, Needs::kAttempt, &CheckSameAgain, "gives the same answer again",
     "The same question is answered alike twice in a row and by two instances. What is random takes the attempt's seed "
     "from the host."},
    {113, true, Needs::kAttempt, &CheckChunks, "does not mind how rows are cut",
     "All rows at once, or in parts of 1, 64 and 256 rows, the last part first: the answers are the same. The host "
     "cuts "
     "as it likes."},
    {114, true, Needs::kAttempt, &CheckThreads, "may be asked on many threads",
     "Eight threads ask at once and get the answers of one. A plugin that cannot do that sets BERTH_F_SERIAL_ONLY."},
    {115, true, Needs::kAttempt, &CheckOddPods, "survives odd pods",
     "Pods without anything, with a thousand labels or a hundred containers, with amounts that nearly fill an int64, "
     "with "
     "texts and operators that nobody uses, of nodes that do not exist."},
    {116, true, Needs::kAttempt, &CheckReuse, "declares what its answers depend on",
     "A table that sets BERTH_REUSE names parts of the pod, the row and the cluster. Whatever else changes, the "
     "answers "
     "stay: the host does not ask again."},
    {117, true, Needs::kAttempt, &CheckTrials, "forgets its trials",
     "Pods come to a copy of the attempt and go again, as preemption and nominated pods have it. Then every verdict is "
     "what it was, in the copy and in the attempt itself."},
    {118, true, Needs::kAttempt, &CheckInTheHost, "decides pods in the host",
     "The host's own cycle, with all its checks of answers and its recomputation of what is kept, schedules a few pods "
     "with this plugin in the profile. No attempt fails."},
    {119, true, Needs::kAttempt, &CheckEmptyCluster, "survives a cluster without nodes",
     "There may be no node at all, as when the scheduler starts with the cluster."},
    {120, true, Needs::kStart, &CheckBinding, "ends what it began for a pod",
     "Unreserve comes where Reserve never ran, and twice. Permit waits for more than no time. PreBind and Bind end by "
     "their status, or answer LATER and call done() exactly once, with a reason for an error."},
    {121, true, Needs::kAttempt, &CheckMemory, "survives without memory",
     "While it is created and started, and in PreFilter, Filter, PreScore, Score and Reserve, its first 64 allocations "
     "fail, one at a time. It answers ERROR, or what it answers otherwise. An exception that leaves it, a crash and "
     "another decision fail; abort() is worth a warning: the whole scheduler ends, though not by chance.",
     std::chrono::seconds(60)},
    {122, true, Needs::kStart, &CheckCancelling, "comes back when it is given up",
     "cycle->cancelled() says that nobody wants the answer any more. Calls over 2000 rows and a PreBind that holds its "
     "thread come back within 500 ms; more than a second fails. A PreBind that answered LATER ends its operation after "
     "its Unreserve, once; more than ten seconds of the host's clock are worth a warning.",
     std::chrono::seconds(60)},
    {130, true, Needs::kAttempt, &CheckEvents, "hears of events",
     "interests() answers the same list each time. hints() takes additions, deletions and changes, about pods of every "
     "kind and about none."},
    {131, true, Needs::kAttempt, &CheckObjects, "hears of objects",
     "Objects come without what is usual in them, change twenty thousand times, and go though they were never told "
     "of."},
    {132, true, Needs::kAttempt, &CheckDeltas, "counts what comes and goes",
     "Nodes and pods that come and go again leave the counts that there were: dump() is what it was."},
    {140, true, Needs::kAttempt, &CheckHandover, "takes over state, or says no",
     "load() takes what save() of the same version wrote. What was cut off, damaged, made up or written by another "
     "version is taken, skipped or refused, and the plugin works on."},
    {141, true, Needs::kAttempt, &CheckGenerations, "lives beside another generation of itself",
     "A copy of the library with another digest is mapped as well, as in a swap. Both work, and either may end."},
    {142, true, Needs::kAttempt, &CheckSuccession, "prepares the one that takes its place",
     "prepare() makes an instance that starts with the same args. It may be let go before it was ever asked, or take "
     "over by commit(); calls of the one before go on in turn with its own, and it ends first."},
    {150, true, Needs::kStart, &CheckSpeed, "answers in time",
     "Filter and Score over 1000 rows, on the validator's own host, which is slower than the scheduler: nanoseconds "
     "per "
     "row. More than 20 microseconds are worth a warning; a call of more than a second fails the pod's attempt.",
     std::chrono::seconds(60)},
    {kFuzz, true, Needs::kAttempt, &Fuzz, "survives what is random",
     "With --fuzz SECONDS: random clusters and pods, walked through every point, any rows compared with all rows. "
     "The seed is told; --seed begins with it again."},
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
