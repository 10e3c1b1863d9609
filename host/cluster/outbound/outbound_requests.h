// The requests of plugins to servers other than the API server, such as a source of metrics. There are few of them, so
// each has its own connection, and a thread waits for its reply. They carry no credentials of the scheduler. Each
// request has exactly one reply. Thread: Get and Close from any; the owner destroys it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "base/task_threads.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "plugin/instance/ports.h"

namespace berth::outbound {

class OutboundRequests final : public plugin::HttpPort {
 public:
  explicit OutboundRequests(uint32_t most_threads = 4) : threads_({.name = "outbound", .most = most_threads}) {}
  ~OutboundRequests() override;

  // Errors have the texts of Go: Get "http://127.0.0.1:2020/watcher": dial tcp ...: connect: connection refused
  // A request for which no thread can be created fails at once.
  void Get(plugin::HttpRequest request, plugin::ApiPort::Done done) override;
  // Open requests, also those that wait for a thread, end with an error soon, and later ones at once. Waits until every
  // reply has been delivered.
  void Close();

 private:
  bool Begin();  // false after Close
  void End();
  plugin::ApiAnswer Exchange(const plugin::HttpRequest& request);
  http::Reply Await(http::Transport& transport, std::string path);
  bool Enter(http::Transport& transport);
  void Leave(http::Transport& transport);

  base::Mutex mutex_;
  base::Condition quiet_;
  std::set<http::Transport*> open_ GUARDED_BY(mutex_);
  size_t begun_ GUARDED_BY(mutex_) = 0;  // requests without a reply
  bool closed_ GUARDED_BY(mutex_) = false;
  base::TaskThreads threads_;  // the last member: its threads use the others
};

}  // namespace berth::outbound
