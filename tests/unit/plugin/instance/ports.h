// Ports that a test controls, and an instance that uses them.
#pragma once

#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/instance/instance.h"
#include "test_scheduler.h"

namespace berth::plugin {

struct FakeTaskPort final : TaskPort {
  void Post(int64_t delay_ns, std::function<void()> fn) override { posted.emplace_back(delay_ns, std::move(fn)); }
  bool Activate(std::string_view uid) override {
    activated.emplace_back(uid);
    return uid == "waits";
  }
  int64_t WallUnixNs() const override { return 42; }
  void RunAll() {
    for (auto& [delay, fn] : std::exchange(posted, {})) fn();
  }
  std::vector<std::pair<int64_t, std::function<void()>>> posted;
  std::vector<std::string> activated;
};

struct FakeApiPort final : ApiPort {
  void Send(ApiRequest request, Done done) override {
    requests.push_back(std::move(request));
    if (at_once) return done({.code = 503, .message = "too early"});
    waiting.push_back(std::move(done));
  }
  void Event(PodEvent event) override {
    const std::string related(event.related == nullptr ? "-" : event.related->key());
    events.push_back(std::string(event.profile) + " " + std::string(event.regarding.key()) + " " + related + " " +
                     std::string(event.type) + " " + std::string(event.reason) + " " + std::string(event.action) + " " +
                     event.note);
  }
  bool at_once = false;
  std::vector<ApiRequest> requests;
  std::vector<Done> waiting;
  std::vector<std::string> events;
};

struct FakeHttpPort final : HttpPort {
  void Get(HttpRequest request, ApiPort::Done done) override {
    requests.push_back(std::move(request));
    waiting.push_back(std::move(done));
  }
  std::vector<HttpRequest> requests;
  std::vector<ApiPort::Done> waiting;
};

// A host with one instance of the scripted plugin A.
struct World {
  World() {
    fixture::ClearScripts();
    Restart();
  }
  void Restart(FaultPolicy faults = {}) { RestartWith({.tasks = &tasks, .api = &api, .http = &http}, faults); }
  // Uses a host that has only these ports.
  void RestartWith(const Ports& ports, FaultPolicy faults = {}) {
    instance.reset();
    services.emplace(intern, ports);
    InstanceSpec spec;
    spec.library = fixture::ScriptedLibrary();
    spec.library_plugin = spec.name = "A";
    spec.profile = "default-scheduler";
    spec.faults = faults;
    auto made = Instance::Create(std::move(spec), *services);
    if (!made || !(*made)->Activate()) std::abort();
    instance = std::move(*made);
  }
  sdk::Host& host() { return fixture::HostOf("A"); }

  api::InternTables intern;
  std::optional<Services> services;
  FakeTaskPort tasks;
  FakeApiPort api;
  FakeHttpPort http;
  std::shared_ptr<Instance> instance;
};

}  // namespace berth::plugin
