// The rule about out-of-memory errors, BP-121: in every call the plugin's first allocations fail, one at a time, each
// in a process that is forked just before the call (allocations.h).
#include <algorithm>
#include <chrono>
#include <functional>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>

#include "berth/binding.h"
#include "cmd/berthctl/validate/allocations.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/rule_process.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/test_host.h"

namespace berth::validate {
namespace {

using sdk::testing::Attempt;
using sdk::testing::FakePod;
using sdk::testing::Outcome;
using std::to_string;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kMemoryNodes = 6, kMostAllocations = 64;
constexpr size_t kPods[] = {2, 4, 6, 8};  // of the samples: with affinities, constraints, volumes
constexpr std::chrono::seconds kMemoryTimeout{2}, kTime{40};

// The answer of a call as text, for comparison; "ERROR" for every error text.
std::string Shown(const Outcome& outcome) {
  std::ostringstream out;
  out << outcome;
  return outcome.code == BERTH_ERROR ? "ERROR" : out.str();
}
std::string Shown(const sdk::testing::FilterOutcome& outcome) {
  std::ostringstream out;
  for (const auto& [node, verdict] : outcome.nodes) {
    if (verdict.code == BERTH_ERROR) return "ERROR";
    out << ", " << node << ": " << verdict;
  }
  return outcome.ok() ? "verdicts" + out.str() : Shown(static_cast<const Outcome&>(outcome));
}
std::string Shown(const sdk::testing::ScoreOutcome& outcome) {
  std::ostringstream out;
  for (const auto& [node, score] : outcome.nodes) out << ", " << node << ": " << score;
  return outcome.ok() ? "scores" + out.str() : Shown(static_cast<const Outcome&>(outcome));
}

// A call that the rule repeats, each time in another process. afterwards does the next step of the host.
struct Call {
  std::string name;
  std::function<std::string()> make;
  std::function<void()> afterwards;
};

class Famine {
 public:
  explicit Famine(Findings& findings) : findings_(findings), until_(Clock::now() + kTime) {}

  void Try(const Call& call) {
    findings_.Step(call.name + ", an allocation fails");
    const ChildResult whole = Run(call, 0);
    const auto count = std::find_if(whole.words.begin(), whole.words.end(), IsNote);
    if (whole.end != End::kDone || count == whole.words.end()) {
      return findings_.Note(call.name + " does not come back in a process that was forked off, and was not asked");
    }
    const uint32_t made = static_cast<uint32_t>(std::stoul(count->text));
    const std::string right = std::next(count)->text;
    for (uint32_t nth = 1; nth <= std::min(made, kMostAllocations) && Clock::now() < until_; ++nth) {
      if (!Judge(call, "when allocation " + to_string(nth) + " of " + to_string(made) + " in " + call.name + " fails, ",
                 Run(call, nth), right)) {
        return;
      }
      ++failed_;
    }
  }
  uint32_t failed() const { return failed_; }

 private:
  static bool IsNote(const Word& word) { return word.kind == Kind::kNote; }

  // Its notes are the number of allocations, and the answer.
  static ChildResult Run(const Call& call, uint32_t nth) {
    const auto work = [&](Findings& said) {
      std::string answer;
      uint32_t made = 0;
      said.Step("the call");
      try {
        const Hunger hunger(nth);
        answer = call.make();
        made = hunger.made();
      } catch (const std::bad_alloc&) {
        return said.Fail("std::bad_alloc leaves the plugin");
      } catch (...) {
        return said.Fail("an exception leaves the plugin");
      }
      said.Note(to_string(made));
      said.Note(answer);
      said.Step("what comes after the call");
      call.afterwards();
    };
    return RunInChild(work, kMemoryTimeout);
  }

  // false: this call has a defect; more runs would repeat it.
  bool Judge(const Call& call, const std::string& when, const ChildResult& result, const std::string& right) {
    std::string step, answer;
    for (const Word& word : result.words) {
      if (word.kind == Kind::kFailure) return findings_.Fail(when + word.text), false;
      if (word.kind == Kind::kStep) step = word.text;
      if (word.kind == Kind::kNote) answer = word.text;
    }
    if (result.end == End::kLate) return findings_.Fail(when + step + " does not come back"), false;
    if (result.end == End::kDied) return Died(when + step + " ends the process: it ", result);
    if (answer == right || answer == "ERROR") return true;
    findings_.Fail(when + call.name + " answers " + answer + " and not " + right);
    return false;
  }
  // abort() is deliberate; a crash or a terminate() is not. Every Rust library aborts.
  bool Died(const std::string& what, const ChildResult& result) {
    const bool aborted = result.how.find("signal 6 ") != std::string::npos;
    const bool terminated = result.output.find("terminate called") != std::string::npos;
    const std::string text = what + result.how + (result.output.empty() ? "" : ": " + result.output);
    const bool rust = result.output.find("memory allocation of ") != std::string::npos;
    if (aborted && rust) {
      findings_.Note(text);
    } else if (aborted && !terminated) {
      findings_.Warn(text);
    } else {
      findings_.Fail(text);
    }
    return false;
  }

  Findings& findings_;
  Clock::time_point until_;
  uint32_t failed_ = 0;
};

// The start of an instance, and the calls of a pod's attempt.
class Calls {
 public:
  Calls(const Subject& subject, std::shared_ptr<const loader::Library> library, Famine& famine)
      : subject_(subject), library_(std::move(library)), famine_(famine) {}

  void Start() {
    std::shared_ptr<TestHost> rig;
    famine_.Try({"completing args, create, init and activate",
                 [&] {
                   try {
                     rig = std::make_shared<TestHost>(subject_, library_);
                     rig->Fill(SampleCluster(kMemoryNodes));
                     return Shown(rig->Start());
                   } catch (const std::invalid_argument&) {  // refused args, or create() returned NULL
                     return std::string("ERROR");
                   }
                 },
                 [&] { rig.reset(); }});
  }
  void Attempts(TestHost& rig, const FakePod& pod) {
    std::unique_ptr<Attempt> attempt = rig.plugin().Try(pod);
    // Makes the call in other processes, then here. A point that the plugin does not offer counts as SUCCESS.
    const auto next = [&](const char* point, const char* name, auto&& make) {
      if (!rig.Offers(point)) return BERTH_SUCCESS;
      famine_.Try({std::string(name) + " of pod \"" + pod.name() + "\"", [&] { return Shown(make()); },
                   [&] { attempt.reset(); }});
      return make().code;
    };
    const auto filtered = next(BERTH_POINT_PRE_FILTER, "PreFilter", [&] { return attempt->PreFilter(); });
    if (filtered != BERTH_SUCCESS && filtered != BERTH_SKIP) return;
    if (filtered != BERTH_SKIP) next(BERTH_POINT_FILTER, "Filter", [&] { return attempt->Filter(); });
    if (next(BERTH_POINT_PRE_SCORE, "PreScore", [&] { return attempt->PreScore(); }) == BERTH_SUCCESS) {
      next(BERTH_POINT_SCORE, "Score", [&] { return attempt->Score(); });
    }
    next(BERTH_POINT_RESERVE, "Reserve", [&] { return attempt->Reserve("n0"); });
    if (rig.Offers(BERTH_POINT_RESERVE)) attempt->Unreserve("n0");
  }

 private:
  const Subject& subject_;
  std::shared_ptr<const loader::Library> library_;
  Famine& famine_;
};

}  // namespace

void CheckMemory(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  HookAllocations(*library);
  Famine famine(findings);
  Calls calls(subject, library, famine);
  calls.Start();
  TestHost rig(subject, library);
  rig.Fill(SampleCluster(kMemoryNodes));
  if (!rig.Started(findings)) return;
  const std::vector<FakePod> pods = SamplePods();
  for (const size_t i : kPods) calls.Attempts(rig, pods.at(i));
  (void)rig.Violations();  // BP-110 reports them
  findings.Note(to_string(famine.failed()) + " allocations failed, one at a time, and were borne");
}

}  // namespace berth::validate
