#include "cluster/explain/policy_diff.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/clock.h"
#include "base/thread_annotations.h"
#include "client/requests/rate_limiter.h"
#include "cluster/explain/explain_answers.h"
#include "cluster/explain/new_decisions.h"
#include "cluster/explain/policy_diff_request.h"
#include "scheduler/cache/cache.h"
#include "scheduler/engine/ask.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/what_if/impact.h"
#include "scheduler/what_if/object_facts.h"

namespace berth::explain {
namespace {

// A person who edits numbers asks several times in a row; a loop must wait.
constexpr double kPerSecond = 2;
constexpr int kBurst = 20;
// Decisions that one question copies: some tens of microseconds, and pods are scheduled between two questions.
constexpr size_t kReadAtOnce = 200;
http::Answer NoAnswer() { return serve::PlainError(503, "the scheduling thread did not answer in time"); }

// Lets one request in at a time, and not too many in a minute.
class Gate {
 public:
  bool Enter() {
    base::MutexLock lock(mutex_);
    if (busy_ || limiter_.Take(base::RealClock().MonoNs()) != 0) return false;
    busy_ = true;
    return true;
  }
  void Leave() {
    base::MutexLock lock(mutex_);
    busy_ = false;
  }

 private:
  base::Mutex mutex_;
  bool busy_ GUARDED_BY(mutex_) = false;
  requests::RateLimiter limiter_ GUARDED_BY(mutex_){kPerSecond, kBurst};
};

class Inside {
 public:
  explicit Inside(Gate& gate) : gate_(gate), entered_(gate.Enter()) {}
  ~Inside() {
    if (entered_) gate_.Leave();
  }
  Inside(const Inside&) = delete;
  bool entered() const { return entered_; }

 private:
  Gate& gate_;
  const bool entered_;
};

// Scheduling thread. name "": the first profile. nullopt: there is no such profile.
std::optional<ActiveProfile> CopyProfile(engine::Engine& engine, const std::string& name) {
  const framework::ProfileSet& policy = engine.profiles();
  const auto found = std::find_if(policy.profiles.begin(), policy.profiles.end(),
                                  [&](const auto& one) { return name.empty() || one->scheduler_name() == name; });
  if (found == policy.profiles.end()) return std::nullopt;
  const framework::Profile& profile = **found;
  ActiveProfile out{
      .name = profile.scheduler_name(), .generation = policy.generation, .plugins = {}, .score = {}, .filters = {}};
  for (const plugin::Point point : {plugin::Point::kPreFilter, plugin::Point::kFilter}) {
    for (const plugin::Instance* one : profile.At(point)) out.filters.insert(one->name());
  }
  const auto& score = profile.At(plugin::Point::kScore);
  for (size_t i = 0; i < score.size(); ++i) out.score[score[i]->name()] = profile.ScoreWeight(i);
  for (const auto& one : profile.instances()) {
    if (out.filters.contains(one->name()) || out.score.contains(one->name())) out.plugins.push_back(one->name());
  }
  return out;
}

// Scheduling thread.
std::vector<api::NodeRef> NodesOf(engine::Engine& engine) {
  std::vector<api::NodeRef> nodes;
  cache::Cache& cache = engine.cache();
  for (uint32_t row : cache.order()) nodes.emplace_back(cache.node(row));
  return nodes;
}

struct Records {
  std::vector<what_if::DecisionRef> decisions;  // newest first; all have a table
  std::vector<api::PodRef> pods;                // of the decisions, as far as they are still there
  size_t without_table = 0, other_generation = 0;
  uint64_t next = UINT64_MAX;  // IDs below are still to be read; 0: none
};

// Scheduling thread. Adds what the next decisions say, until there are `limit`.
Records ReadSome(engine::Engine& engine, const ActiveProfile& profile, size_t limit, Records records) {
  size_t read = 0;
  const auto add = [&](const what_if::DecisionRef& one) {
    if (one->generation != profile.generation) {
      ++records.other_generation;
    } else if (one->nodes == nullptr) {
      ++records.without_table;
    } else {
      records.decisions.push_back(one);
      if (api::PodRef pod = engine.PodByKey(one->pod); pod && pod->uid() == one->uid)
        records.pods.push_back(std::move(pod));
    }
    return ++read < kReadAtOnce && records.decisions.size() < limit;
  };
  const decisions::Ring& ring = engine.decisions().ring();
  records.next = ring.ForEachOf({.before = records.next}, {.profile = profile.name}, add, kExaminedAtOnce);
  if (records.decisions.size() == limit) records.next = 0;
  return records;
}

// Asks the scheduling thread several questions, with one deadline and until the scheduler ends.
class Questions {
 public:
  explicit Questions(const ExplainSources& sources) : engine_(sources.engine), ending_(sources.ending) {}
  template <class Fn>
  auto Ask(Fn fn) const {
    return engine::Ask(engine_, std::move(fn), ending_, deadline_);
  }

 private:
  engine::Engine& engine_;
  const std::stop_token ending_;
  const engine::Deadline deadline_ = engine::LatestAnswer();
};

std::optional<Records> ReadRecords(const Questions& questions, engine::Engine& engine, const ActiveProfile& profile,
                                   size_t limit) {
  std::optional<Records> records = Records();
  while (records && records->next != 0) {
    records = questions.Ask([&engine, profile, limit, some = *std::move(records)]() mutable {
      return ReadSome(engine, profile, limit, std::move(some));
    });
  }
  return records;
}

what_if::Facts FactsOf(const std::vector<api::NodeRef>& nodes, const std::vector<api::PodRef>& pods,
                       const api::InternTables& intern) {
  what_if::Facts facts;
  for (const api::NodeRef& node : nodes) facts.nodes[node->name] = what_if::FactsOf(*node, intern);
  for (const api::PodRef& pod : pods) facts.pods[std::string(pod->uid())] = what_if::FactsOf(*pod, intern);
  return facts;
}

std::string AnswerText(const ActiveProfile& profile, const what_if::Target& target, const Records& records,
                       const what_if::Facts& facts) {
  json::Value impact = ImpactJson(ImpactOf(records.decisions, target, facts));
  json::Value& counts = *impact.Find("decisions");
  counts.Set("withoutNodes", static_cast<int64_t>(records.without_table));
  counts.Set("otherGenerations", static_cast<int64_t>(records.other_generation));
  json::Value out = json::Value::MakeObject({{"profile", profile.name},
                                             {"generation", static_cast<int64_t>(profile.generation)},
                                             {"plugins", ChangeJson(profile, target)},
                                             {"note", what_if::kIndependent}});
  for (auto& [key, value] : impact.mutable_object()) out.Set(key, std::move(value));
  return json::Dump(Versioned("PolicyDiff", std::move(out))) + "\n";
}

http::Answer Answer(const ExplainSources& sources, const http::Incoming& request) {
  const auto wanted = ReadPolicyDiffRequest(request.body);
  if (!wanted) return serve::PlainError(400, wanted.error().message);
  engine::Engine& engine = sources.engine;
  const Questions questions(sources);
  const auto profile = questions.Ask([&engine, name = wanted->profile] { return CopyProfile(engine, name); });
  if (!profile) return NoAnswer();
  if (!*profile) return serve::PlainError(400, "profile: there is no profile \"" + wanted->profile + "\"");
  const auto target = TargetOf(**profile, *wanted);
  if (!target) return serve::PlainError(400, target.error().message);
  const auto nodes = questions.Ask([&engine] { return NodesOf(engine); });
  if (!nodes) return NoAnswer();
  const auto records = ReadRecords(questions, engine, **profile, wanted->limit);
  if (!records) return NoAnswer();
  const what_if::Facts facts = FactsOf(*nodes, records->pods, sources.intern);
  return {.status = 200,
          .content_type = "application/json",
          .body = AnswerText(**profile, *target, *records, facts),
          .headers = serve::NoSniff()};
}

}  // namespace

void AddPolicyDiffRoute(serve::Routes& routes, const ExplainSources& sources) {
  auto gate = std::make_shared<Gate>();
  const auto answer = [sources, gate](const http::Incoming& request) {
    if (request.body.size() > kMaxPolicyDiffBody) return serve::PlainError(413, "the body exceeds 64 KiB");
    const Inside inside(*gate);
    if (!inside.entered()) {
      http::Answer later = serve::PlainError(429, "one request at a time, and two in a second: try again");
      later.headers.emplace_back("Retry-After", "1");
      return later;
    }
    return Answer(sources, request);
  };
  routes.Add({.path = "/admin/v1/policy/diff", .methods = {"POST"}, .handler = OfOwnSite(answer)});
}

}  // namespace berth::explain
