// The source of `berthctl why --running`.
#include <chrono>
#include <utility>

#include "cmd/berthctl/admin/admin_client.h"
#include "cmd/berthctl/why/source.h"
#include "codec/text/percent.h"

namespace berth::ctl {
namespace {

constexpr std::chrono::seconds kTimeout{30};  // a search for suggestions may take some seconds

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

class Running final : public WhySource {
 public:
  Running(std::unique_ptr<http::RestClient> client, std::string url)
      : client_(std::move(client)), url_(std::move(url)) {}

  base::Result<json::Value> Explain(const WhyQuestion& question) override {
    std::string query = question.suggest ? "suggest=1" : "";
    if (!question.node.empty()) {
      query += query.empty() ? "node=" : "&node=";
      text::AppendPercentEncoded(query, question.node);
    }
    return Get("/admin/v1/pods/" + question.pod, query);
  }
  base::Result<json::Value> Decision(int64_t id) override {
    return Get("/admin/v1/decisions/" + std::to_string(id), "");
  }

 private:
  base::Result<json::Value> Get(const std::string& path, const std::string& query) {
    http::Request request;
    request.path = path;
    if (!query.empty()) request.path += "?" + query;
    const http::Reply reply = client_->SendAndWait(request);
    if (reply.status == 0) return base::Fail(reply.error);
    if (!reply.ok()) {
      return base::Fail(url_ + path + " answered " + std::to_string(reply.status) + ": " + FirstLine(reply.body));
    }
    return json::Parse(reply.body);
  }

  const std::unique_ptr<http::RestClient> client_;
  const std::string url_;
};

}  // namespace

base::Result<std::unique_ptr<WhySource>> RunningScheduler(const std::string& address) {
  const std::string url = AdminUrl(address);
  auto client = AdminClient(url, kTimeout);
  if (!client) return base::Fail(client.error().message);
  return std::make_unique<Running>(std::move(*client), url);
}

}  // namespace berth::ctl
