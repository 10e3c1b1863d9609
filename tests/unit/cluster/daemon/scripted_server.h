// An API server with two watches through which the test sends events, and with scripted answers to other requests.
// Thread: any.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fake_transport.h"

namespace berth::daemon {

class ScriptedServer final : public http::Transport {
 public:
  std::function<http::Reply(const http::Request&)> answer = [](const http::Request&) { return http::ReplyOf(201); };

  // Sends one line to all watches of the path, or keeps it for the first watch.
  void Say(const std::string& path, const std::string& type, const std::string& object) {
    std::lock_guard lock(mutex_);
    lines_[path].push_back(R"({"type":")" + type + R"(","object":)" + object + "}\n");
    said_.notify_all();
  }
  void EndOfList(const std::string& path, const std::string& version = "1") {
    Say(path, "BOOKMARK",
        R"({"metadata":{"resourceVersion":")" + version + R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
  }
  // Ends the watch with an expired version, so the client lists again.
  void Forget(const std::string& path) { Say(path, "ERROR", R"({"kind":"Status","code":410,"reason":"Expired"})"); }

  void Send(http::Request request, std::function<void(http::Reply)> done) override {
    std::function<http::Reply(const http::Request&)> by;
    {
      std::lock_guard lock(mutex_);
      requests_.push_back(request);
      if (hold_ && request.path.ends_with("/binding")) {
        held_.emplace_back(std::move(request), std::move(done));
        return;
      }
      by = answer;
    }
    const std::optional<http::Reply> refusal = RefusalOf(request);
    done(refusal ? *refusal : by(request));
  }
  // Bindings get no answer until Release.
  void Hold() {
    std::lock_guard lock(mutex_);
    hold_ = true;
  }
  void Release() {
    std::deque<std::pair<http::Request, std::function<void(http::Reply)>>> held;
    {
      std::lock_guard lock(mutex_);
      hold_ = false;
      held.swap(held_);
    }
    for (auto& [request, done] : held) done(answer(request));
  }

  // Refuses lists and watches of the path.
  void Refuse(const std::string& path, int status) {
    std::lock_guard lock(mutex_);
    refused_[path] = status;
  }

  // Breaks every watch and refuses new ones until ComeBack.
  void GoAway() { SetAway(true); }
  void ComeBack() { SetAway(false); }

  void Close() override { Release(); }

  http::Reply Stream(const http::Request& request, http::BodySink& sink, const std::stop_token& stop) override {
    const std::string path = request.path.substr(0, request.path.find('?'));
    {
      std::lock_guard lock(mutex_);
      if (away_) return http::LostReply("dial tcp 127.0.0.1:6443: connect: connection refused", false);
    }
    if (const auto refusal = RefusalOf(request)) return *refusal;
    {
      std::lock_guard lock(mutex_);
      if (request.path.find("sendInitialEvents=true") != std::string::npos) ++lists_[path];
    }
    sink.OnHead({200});
    while (true) {
      std::string line;
      {
        std::unique_lock lock(mutex_);
        auto& lines = lines_[path];
        if (!said_.wait(lock, stop, [&] { return away_ || !lines.empty(); })) return http::ReplyOf(200);
        if (away_) return Broken();
        line = std::move(lines.front());
        lines.pop_front();
      }
      if (!sink.OnBytes(line)) return http::ReplyOf(200);
    }
  }

  // Streams of the path that began with a list.
  size_t Lists(const std::string& path) const {
    std::lock_guard lock(mutex_);
    const auto found = lists_.find(path);
    return found == lists_.end() ? 0 : found->second;
  }

  // "POST /path" of all requests so far.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::lock_guard lock(mutex_);
    for (const http::Request& request : requests_) lines.push_back(request.method + " " + request.path);
    return lines;
  }
  size_t Count(const std::string& part) const {
    size_t n = 0;
    for (const std::string& line : Lines()) n += line.find(part) != std::string::npos;
    return n;
  }

 private:
  std::optional<http::Reply> RefusalOf(const http::Request& request) const {
    std::lock_guard lock(mutex_);
    const auto refused = refused_.find(request.path.substr(0, request.path.find('?')));
    if (refused == refused_.end()) return std::nullopt;
    const std::string code = std::to_string(refused->second);
    return http::ReplyOf(refused->second, R"({"kind":"Status","message":"no","code":)" + code + "}");
  }
  static http::Reply Broken() {
    http::Reply reply = http::ReplyOf(200);
    reply.error = "connection reset by peer";
    return reply;
  }
  void SetAway(bool away) {
    std::lock_guard lock(mutex_);
    away_ = away;
    said_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable_any said_;
  std::map<std::string, std::deque<std::string>> lines_;
  std::vector<http::Request> requests_;
  std::map<std::string, size_t> lists_;
  std::map<std::string, int> refused_;  // path -> HTTP status
  bool hold_ = false, away_ = false;
  std::deque<std::pair<http::Request, std::function<void(http::Reply)>>> held_;
};

inline constexpr const char* kNodesPath = "/api/v1/nodes";
inline constexpr const char* kPodsPath = "/api/v1/pods";

inline std::string NodeJson(const std::string& name, const std::string& more_metadata = "") {
  return R"({"metadata":{"name":")" + name + R"(","uid":"u-)" + name + R"(","resourceVersion":"2")" + more_metadata +
         R"(},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}})";
}
inline std::string PodJson(const std::string& name, const std::string& node = "", int version = 2) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"default","uid":"u-)" + name +
         R"(","resourceVersion":")" + std::to_string(version) + R"("},"spec":{"schedulerName":"default-scheduler")" +
         (node.empty() ? "" : R"(,"nodeName":")" + node + "\"") +
         R"(,"containers":[{"name":"c","image":"i"}]},"status":{"phase":"Pending"}})";
}

}  // namespace berth::daemon
