// A daemon with one node, a scripted plugin, and a scripted server.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "cluster/daemon/daemon.h"
#include "eventually.h"
#include "scripted_server.h"
#include "test_scheduler.h"

namespace berth::daemon {

struct DaemonTest : testing::Test {
  api::InternTables intern;
  ScriptedServer server;
  DaemonOptions options;
  std::unique_ptr<Daemon> daemon;
  std::jthread running;

  DaemonTest() {
    fixture::ClearScripts();
    fixture::BindThroughHost(fixture::ScriptOf("A"));
    options.requests = {-1, 1, 64};
    options.binding_threads = 2;
    options.hostname = "host";
    options.shutdown_timeout_ns = 300 * base::kMillisecond;
  }
  ~DaemonTest() override { End(); }

  void Start() {
    daemon = std::make_unique<Daemon>(intern, server, nullptr, options);
    auto profiles = fixture::BuildSet({{}}, daemon->services());
    ASSERT_TRUE(profiles) << profiles.error().message;
    daemon->SetProfiles(*profiles);
    running = std::jthread([this] { daemon->Run(); });
  }
  void End() {
    if (!daemon) return;
    daemon->RequestEnd();
    if (running.joinable()) running.join();
    daemon.reset();
  }
  void StartWithNode() {
    server.Say(kNodesPath, "ADDED", NodeJson("n1"));
    server.EndOfList(kNodesPath);
    server.EndOfList(kPodsPath);
    Start();
    ASSERT_TRUE(Eventually([&] { return daemon->handlers_synced(); }));
  }
  // Runs the function on the scheduling thread, after all messages that the engine has received, and returns its
  // result.
  template <class Function>
  auto OnSchedulingThread(Function function) {
    const auto result = std::make_shared<std::promise<decltype(function(daemon->engine()))>>();
    daemon->engine().Post(engine::Task([this, result, function] { result->set_value(function(daemon->engine())); }));
    auto future = result->get_future();
    if (future.wait_for(std::chrono::seconds(30)) != std::future_status::ready) throw std::runtime_error("no step");
    return future.get();
  }
  // Waits until the engine has received the pod. By then it has received all earlier events of the watch of pods.
  bool ReceivesPod(const std::string& pod) {
    return Eventually([&] {
      return OnSchedulingThread([&](engine::Engine& engine) { return bool(engine.PodByKey("default/" + pod)); });
    });
  }
  bool ReceivesNodes(size_t n) {
    return Eventually(
        [&] { return OnSchedulingThread([&](engine::Engine& engine) { return engine.cache().n_nodes() == n; }); });
  }
  bool Bound(const std::string& pod) {
    return Eventually([&] { return server.Count("POST /api/v1/namespaces/default/pods/" + pod + "/binding") == 1; });
  }
};

}  // namespace berth::daemon
