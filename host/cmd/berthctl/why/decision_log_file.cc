// The source of `berthctl why --decision-log`.
#include <utility>

#include "cmd/berthctl/why/log_index.h"
#include "cmd/berthctl/why/logged_decision.h"
#include "cmd/berthctl/why/source.h"

namespace berth::ctl {
namespace {

class LogFile final : public WhySource {
 public:
  explicit LogFile(std::unique_ptr<LogIndex> index) : index_(std::move(index)) {}

  base::Result<json::Value> Explain(const WhyQuestion& question) override {
    if (!question.node.empty()) return base::Fail("--node asks a running scheduler, and no decision log");
    const LogIndex::Entry* last = index_->LastOf(question.pod);
    if (last == nullptr) return base::Fail(index_->path() + " has no attempt of pod \"" + question.pod + "\"");
    const json::Value decision = index_->Head(*last);
    if (!question.suggest) return ExplanationOf(decision, json::Value());
    const json::Value pending = index_->PendingOf(question.pod);
    if (pending.is_null()) {
      return base::Fail(index_->path() + " has no suggestions for pod \"" + question.pod +
                        "\": only berthctl simulate --suggest writes them, for pods that are pending at the end");
    }
    return ExplanationOf(decision, pending);
  }
  base::Result<json::Value> Decision(int64_t id) override {
    const LogIndex::Entry* found = index_->Find(static_cast<uint64_t>(id));
    if (found == nullptr) return base::Fail(index_->path() + " has no decision " + std::to_string(id));
    return json::Parse(index_->Line(*found));
  }

 private:
  const std::unique_ptr<LogIndex> index_;
};

}  // namespace

json::Value SummaryOf(json::Value decision) {
  for (const char* key : {"apiVersion", "kind", "summary", "groups", "plugins"}) decision.Erase(key);
  return decision;
}

json::Value ExplanationOf(const json::Value& decision, const json::Value& pending) {
  const bool scheduled = json::TextAt(decision, "result") == "Scheduled";
  const auto copy = [&](const char* key) {
    return decision.Find(key) == nullptr ? json::Value() : *decision.Find(key);
  };
  const json::Value* suggestions = pending.Find("suggestions");
  return json::Value::MakeObject({{"apiVersion", "berth.dev/v1alpha1"},
                                  {"kind", "PodExplanation"},
                                  {"pod", copy("pod")},
                                  {"profile", copy("profile")},
                                  {"state", scheduled ? "Scheduled" : "Pending"},
                                  {"node", copy("node")},
                                  {"summary", copy("summary")},
                                  {"groups", copy("groups")},
                                  {"suggestions", suggestions == nullptr ? json::Value(json::Array()) : *suggestions},
                                  {"searched", suggestions != nullptr},
                                  {"queue", json::Value::MakeObject({{"where", ""}})},
                                  {"decision", SummaryOf(decision)}});
}

base::Result<std::unique_ptr<WhySource>> DecisionLogFile(const std::string& path) {
  auto index = LogIndex::Read(path);
  if (!index) return tl::unexpected(index.error());
  return std::make_unique<LogFile>(*std::move(index));
}

}  // namespace berth::ctl
