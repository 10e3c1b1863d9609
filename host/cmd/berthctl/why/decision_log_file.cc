// The source of `berthctl why --decision-log`: JSON lines, each a Decision with its summary and groups. Lines of other
// kinds say that a scheduler has started, that decisions are missing, or what would make a pod fit. IDs begin again
// with each start.
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "cmd/berthctl/why/source.h"

namespace berth::ctl {
namespace {

// The members of a PodExplanation that a logged decision answers. pending: the explanation that berthctl simulate
// --suggest has logged; null: none.
json::Value ExplanationOf(const json::Value& decision, const json::Value* pending) {
  const bool scheduled = json::TextAt(decision, "result") == "Scheduled";
  const auto copy = [&](const char* key) {
    return decision.Find(key) == nullptr ? json::Value() : *decision.Find(key);
  };
  const json::Value* suggestions = pending == nullptr ? nullptr : pending->Find("suggestions");
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
                                  {"decision", decision}});
}

class LogFile final : public WhySource {
 public:
  static base::Result<std::unique_ptr<WhySource>> Read(const std::string& path) {
    auto source = std::make_unique<LogFile>(path);
    std::ifstream file(path);
    if (!file) return base::Fail("cannot read " + path);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      auto value = json::Parse(line);
      const std::string kind = value ? json::TextAt(*value, "kind") : "";
      if (kind.empty()) {
        return base::Fail(path + ":" + std::to_string(number) + ": no decision" +
                          (value ? "" : ": " + value.error().message));
      }
      if (kind == "DecisionLogStart") source->by_id_.clear();
      if (kind == "Decision") source->Add(*std::move(value));
      if (kind == "PodExplanation") source->pending_[json::TextAt(*value, "pod")] = *std::move(value);
    }
    return source;
  }
  explicit LogFile(std::string path) : path_(std::move(path)) {}

  base::Result<json::Value> Explain(const WhyQuestion& question) override {
    if (!question.node.empty()) return base::Fail("--node asks a running scheduler, and no decision log");
    const auto last = last_.find(question.pod);
    if (last == last_.end()) return base::Fail(path_ + " has no attempt of pod \"" + question.pod + "\"");
    const auto pending = pending_.find(question.pod);
    if (!question.suggest) return ExplanationOf(decisions_[last->second], nullptr);
    if (pending == pending_.end()) {
      return base::Fail(path_ + " has no suggestions for pod \"" + question.pod +
                        "\": only berthctl simulate --suggest writes them, for pods that are pending at the end");
    }
    return ExplanationOf(decisions_[last->second], &pending->second);
  }
  base::Result<json::Value> Decision(int64_t id) override {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return base::Fail(path_ + " has no decision " + std::to_string(id));
    return decisions_[found->second];
  }

 private:
  void Add(json::Value decision) {
    by_id_[decision["id"].integer()] = decisions_.size();
    last_[json::TextAt(decision, "pod")] = decisions_.size();
    decisions_.push_back(std::move(decision));
  }

  const std::string path_;
  std::vector<json::Value> decisions_;
  std::map<int64_t, size_t> by_id_;     // of the last start
  std::map<std::string, size_t> last_;  // by pod
  std::map<std::string, json::Value> pending_;
};

}  // namespace

base::Result<std::unique_ptr<WhySource>> DecisionLogFile(const std::string& path) { return LogFile::Read(path); }

}  // namespace berth::ctl
