// A transport that calls a function instead of a server, and records the requests. Thread: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "client/http/transport.h"

namespace berth::http {

inline Reply ReplyOf(int status, std::string body = "") {
  Reply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

inline Reply LostReply(std::string error, bool maybe_delivered) {
  Reply reply;
  reply.error = std::move(error);
  reply.maybe_delivered = maybe_delivered;
  return reply;
}

class FakeTransport final : public Transport {
 public:
  // The script of a stream: it delivers the pieces, and then ends with reply, or first waits until it is stopped.
  struct StreamScript {
    std::vector<std::string> pieces;
    Reply reply = ReplyOf(200);
    bool stay_open = false;
  };

  std::function<Reply(const Request&)> answer = [](const Request&) { return ReplyOf(200); };
  // Returns the script of each stream, in turn.
  std::function<StreamScript(const Request&)> stream;
  // true: replies wait for Release.
  bool hold = false;

  void Send(Request request, std::function<void(Reply)> done) override {
    {
      std::lock_guard lock(mutex_);
      requests_.push_back(request);
      if (hold) {
        held_.emplace_back(std::move(request), std::move(done));
        return;
      }
    }
    done(answer(request));
  }

  Reply Stream(const Request& request, BodySink& sink, const std::stop_token& stop) override {
    {
      std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    StreamScript script = stream(request);
    sink.OnHead({script.reply.status, script.reply.retry_after_seconds, script.reply.content_type});
    for (const std::string& piece : script.pieces) {
      if (!sink.OnBytes(piece)) return script.reply;
    }
    if (!script.stay_open) return script.reply;
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait(lock, stop, [] { return false; });
    return script.reply;
  }

  void Close() override {
    hold = false;
    while (Release()) {
    }
  }

  // Answers the oldest held request. false: there is none.
  bool Release() {
    std::pair<Request, std::function<void(Reply)>> held;
    {
      std::lock_guard lock(mutex_);
      if (held_.empty()) return false;
      held = std::move(held_.front());
      held_.pop_front();
    }
    held.second(answer(held.first));
    return true;
  }

  std::vector<Request> requests() const {
    std::lock_guard lock(mutex_);
    return requests_;
  }
  std::vector<std::string> Lines() const {  // "POST /path"
    std::vector<std::string> lines;
    for (const Request& request : requests()) lines.push_back(request.method + " " + request.path);
    return lines;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::deque<std::pair<Request, std::function<void(Reply)>>> held_;
};

}  // namespace berth::http
