// A daemon with one node, a scripted plugin, and a scripted server.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "cluster/daemon/daemon.h"
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
    daemon = std::make_unique<Daemon>(intern, server, server, nullptr, options);
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
    ASSERT_TRUE(http::Eventually([&] { return daemon->handlers_synced(); }));
  }
  bool Bound(const std::string& pod) {
    return http::Eventually(
        [&] { return server.Count("POST /api/v1/namespaces/default/pods/" + pod + "/binding") == 1; });
  }
};

}  // namespace berth::daemon
