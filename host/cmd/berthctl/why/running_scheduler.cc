// The source of `berthctl why` that asks a running scheduler.
#include <utility>

#include "cmd/berthctl/why/source.h"
#include "codec/text/percent.h"

namespace berth::ctl {
namespace {

class Running final : public WhySource {
 public:
  explicit Running(AdminConnection connection) : connection_(std::move(connection)) {}

  base::Result<json::Value> Explain(const WhyQuestion& question) override {
    std::string query = question.suggest ? "suggest=1" : "";
    if (!question.node.empty()) {
      query += query.empty() ? "node=" : "&node=";
      text::AppendPercentEncoded(query, question.node);
    }
    const size_t slash = question.pod.find('/');
    std::string path = "/admin/v1/pods/";
    text::AppendPercentEncoded(path, question.pod.substr(0, slash));
    path += "/";
    text::AppendPercentEncoded(path, question.pod.substr(slash + 1));
    return Get(path, query);
  }
  base::Result<json::Value> Decision(int64_t id) override {
    return Get("/admin/v1/decisions/" + std::to_string(id), "");
  }

 private:
  base::Result<json::Value> Get(const std::string& path, const std::string& query) {
    auto answer = Ask(connection_, query.empty() ? path : path + "?" + query);
    if (!answer) return tl::unexpected(answer.error());
    return std::move(answer->value);
  }

  const AdminConnection connection_;
};

}  // namespace

std::unique_ptr<WhySource> RunningScheduler(AdminConnection connection) {
  return std::make_unique<Running>(std::move(connection));
}

}  // namespace berth::ctl
