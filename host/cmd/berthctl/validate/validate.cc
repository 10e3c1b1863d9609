#include "cmd/berthctl/validate/validate.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "cmd/berthctl/validate/last_call.h"
#include "cmd/berthctl/validate/read_only.h"
#include "cmd/berthctl/validate/rule_process.h"
#include "cmd/berthctl/validate/rules.h"
#include "os/subprocess/child_end.h"
#include "plugin/loader/inspection.h"

namespace berth::validate {
namespace {

using loader::Rule;
using loader::RuleInfo;

constexpr std::chrono::seconds kLoadLimit{10};
constexpr std::chrono::milliseconds kTrialTimeout{10'000};  // for a few attempts, which usually take some milliseconds

Status StatusOf(loader::Weight weight) {
  if (weight == loader::Weight::kError) return Status::kFailed;
  return weight == loader::Weight::kWarning ? Status::kWarning : Status::kOk;
}

// ---- the file: rules of the loader that do not run the library

// Not checked: rules about the owner of the file and about the configuration. They concern the installed library.
bool IsOfDeployment(Rule rule) {
  return rule == Rule::kTrusted || rule == Rule::kStable || rule == Rule::kDigest || rule == Rule::kSignature ||
         rule >= Rule::kStaging;
}

void AddFileRules(const loader::Inspection& inspection, Report& report) {
  const bool looked_at_all = inspection.note.has_value();
  for (const RuleInfo& info : loader::AllRules()) {
    if (IsOfDeployment(info.rule)) continue;
    Entry entry{loader::RuleId(info.rule), info.title, "", Status::kOk, {}, {}, 0};
    for (const loader::Finding& finding : inspection.findings) {
      if (finding.rule != info.rule) continue;
      entry.status = std::max(entry.status, StatusOf(info.weight));
      (info.weight == loader::Weight::kHint ? entry.notes : entry.texts).push_back(finding.text);
    }
    if (looked_at_all || entry.status != Status::kOk) report.entries.push_back(std::move(entry));
  }
}

// ---- the results of a child process

Entry EntryOf(const ChildResult& result, std::chrono::milliseconds limit) {
  Entry entry;
  entry.took_ms = result.took.count();
  std::string step;
  for (const Word& word : result.words) {
    switch (word.kind) {
      case Kind::kFailure: entry.status = Status::kFailed; break;
      case Kind::kWarning:
        if (entry.status == Status::kOk) entry.status = Status::kWarning;
        break;
      case Kind::kNotApplicable:
        if (entry.status == Status::kOk) entry.status = Status::kNotApplicable;
        break;
      case Kind::kStep: step = word.text; continue;
      default: break;
    }
    (word.kind == Kind::kNote ? entry.notes : entry.texts).push_back(word.text);
  }
  const std::string during = step.empty() ? "" : " in: " + step;
  if (result.end == End::kLate) {
    entry.status = Status::kTimeout;
    entry.texts.push_back("is not done after " + std::to_string(limit.count()) + " ms" + during);
  } else if (result.end == End::kDied) {
    entry.status = Status::kCrashed;
    const std::string output = os::OneLine(result.output);
    entry.texts.push_back("the process " + result.how + during + (output.empty() ? "" : ": " + output));
  } else if (!step.empty() && entry.status == Status::kFailed && entry.texts.front().starts_with("threw: ")) {
    entry.texts.front() += during;
  }
  return entry;
}

// A refusal of the loader: "<path>: BP-45: count() threw".
void NameLoadRule(const std::string& path, Entry& entry) {
  entry.rule = loader::RuleId(Rule::kRehearsal);
  const std::string before = "threw: " + path + ": ";
  if (entry.status == Status::kFailed && entry.texts.front().starts_with(before)) {
    std::string& text = entry.texts.front();
    text.erase(0, before.size());
    const size_t colon = text.find(": ");
    entry.rule = text.substr(0, colon);
    text.erase(0, colon + 2);
  }
  if (const RuleInfo* info = loader::Explain(entry.rule)) entry.title = info->title;
}

class Validation {
 public:
  Validation(const Options& options, Report& report) : options_(options), report_(report) {}

  void Run() {
    const loader::Inspection inspection = loader::InspectFile(options_.path);
    report_.sha256 = inspection.sha256;
    AddFileRules(inspection, report_);
    if (!inspection.usable()) return;
    report_.version = inspection.note->version;
    library_ = {options_.path, "", *inspection.note, options_.args, options_.seed, options_.fuzz_seconds};
    if (!Load()) return;
    AskAll("");
    for (const std::string& plugin : inspection.note->Names()) AskAll(plugin);
  }

 private:
  bool Load() {
    const ChildResult result = RunInChild([this](Findings&) { (void)Open(library_); }, kLoadLimit);
    Entry entry = EntryOf(result, kLoadLimit);
    NameLoadRule(options_.path, entry);
    if (entry.status == Status::kOk && !result.output.empty()) {
      entry.status = Status::kWarning;
      entry.texts.push_back("writes when it is loaded: " + os::OneLine(result.output));
    }
    report_.entries.push_back(entry);
    return entry.status == Status::kOk || entry.status == Status::kWarning;
  }

  // Of one plugin, or of the library.
  void AskAll(const std::string& plugin) {
    Subject subject = library_;
    subject.plugin = plugin;
    subject.given_args = ArgsOf(plugin);
    std::optional<std::string> start_missing, attempt_missing;  // why rules that need it do not run
    for (const validate::Rule& rule : Rules()) {
      if (rule.of_plugin == plugin.empty() || !Wanted(rule)) continue;
      const auto& missing = rule.needs == Needs::kAttempt ? attempt_missing : start_missing;
      Entry entry;
      if (rule.needs != Needs::kNothing && missing) {
        entry.status = Status::kNotApplicable;
        entry.texts.push_back(*missing);
      } else {
        entry = Ask(rule, subject);
      }
      entry.rule = IdOf(rule), entry.title = rule.title, entry.plugin = plugin;
      const bool ended = entry.status < Status::kCrashed || entry.status == Status::kNotApplicable;
      const bool fine = entry.status<Status::kFailed, slow = entry.took_ms> kTrialTimeout.count();
      if (rule.number == kStarts && !fine) start_missing = attempt_missing = IdOf(rule) + " comes first";
      if (rule.number == kAttempt && (!ended || slow) && !attempt_missing) {
        attempt_missing = IdOf(rule) + (ended ? " took too long" : " comes first");
      }
      report_.entries.push_back(std::move(entry));
    }
  }
  json::Value ArgsOf(const std::string& plugin) const {
    const loader::NotedPlugin* noted = library_.note.Find(plugin);
    if (noted == nullptr) return {};  // of the library as a whole
    const json::Value* given = library_.note.plugins.size() == 1 ? &options_.args : options_.args.Find(plugin);
    return given == nullptr || given->is_null() ? noted->sample_args : *given;
  }
  bool Wanted(const validate::Rule& rule) const {
    return options_.only == 0 || rule.number == options_.only || rule.number == kStarts || rule.number == kAttempt;
  }
  static Entry Ask(const validate::Rule& rule, const Subject& subject) {
    std::chrono::seconds limit = rule.limit;
    if (rule.number == kFuzz) limit += std::chrono::seconds(subject.fuzz_seconds);
    const auto work = [&](Findings& findings) {
      ReadOnly::Install();
      NameLastCall(findings, limit);
      rule.check(subject, findings);
    };
    return EntryOf(RunInChild(work, limit), limit);
  }

  const Options& options_;
  Report& report_;
  Subject library_;
};

}  // namespace

Report Validate(const Options& options) {
  Report report;
  report.path = options.path;
  report.seed = options.seed;
  Validation(options, report).Run();
  return report;
}

}  // namespace berth::validate
