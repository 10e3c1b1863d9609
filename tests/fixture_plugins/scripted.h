// Scripted plugins for tests. They use the real ABI, without a library file.
//   "A" to "D"  implement every extension point except queueSort, and behave as the test's script says.
//   "K"         is like them, but the host may keep its Filter results as long as a node's labels do not change.
//   "R"         is like them, but the host may keep its results as long as the requests of a node's pods do not change.
//   "FIFO"      is a queueSort plugin in order of arrival.
//   "H"         implements Reserve only, counts the objects on the rows, and hands over its state.
// Thread: set scripts while no plugin is called. A script that runs on binding threads guards the data that it changes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/objects.hpp"
#include "berth/plugin.hpp"
#include "plugin/loader/library.h"

namespace berth::fixture {

using sdk::Cycle;
using sdk::Id;
using sdk::Pod;
using sdk::Status;

// The behavior of one plugin. An empty function gives the default: SUCCESS, score 0, SKIP from bind.
struct Script {
  std::function<Status(sdk::Objects&)> activate;
  std::function<Status(Cycle&, const Pod&)> pre_enqueue;
  std::function<Status(Cycle&, const Pod&, sdk::NameSet&)> pre_filter;
  std::function<Status(Cycle&, const Pod&, sdk::Node, sdk::Verdict& verdict)> filter;  // called row by row
  std::function<Status(Cycle&, const Pod&, const Pod&changed, sdk::Node)> add_pod, remove_pod;
  std::function<Status(Cycle&, const Pod&, const sdk::Diagnosis&, sdk::Nomination&)> post_filter;
  std::function<Status(Cycle&, const Pod&, sdk::Rows)> pre_score;
  std::function<int64_t(Cycle&, const Pod&, sdk::Node)> score;
  std::function<Status(Cycle&, const Pod&, std::span<int64_t>)> normalize;
  std::function<Status(Cycle&, const Pod&, Id)> reserve;
  std::function<void(Cycle&, const Pod&, Id)> unreserve;
  std::function<Status(Cycle&, const Pod&, Id, std::chrono::nanoseconds&)> permit;
  std::function<Status(Cycle&, const Pod&, Id)> pre_flight;
  std::function<Status(Cycle&, const Pod&, Id, sdk::Op&)> pre_bind;
  std::function<Status(Cycle&, const Pod&, Id, sdk::Op&)> bind;
  std::function<void(Cycle&, const Pod&, Id)> post_bind;
  std::vector<sdk::Interest> interests;  // none: no event helps
  std::function<bool(Cycle&, const sdk::Event&, const Pod&)> hint;
  std::function<void(sdk::ObjectKind, sdk::Object before, sdk::Object now)> object_changed;
};

// For "H" and "S". Each instance counts separately.
struct HolderScript {
  std::function<void(const std::string&)> tell;  // "adopt p1 n1 STATE", "settle p1 bound", "load VERSION STATE"
  std::function<void()> on_deltas;               // before the deltas are counted; may throw
  // For "S", which prepares its own successors: "prepare", "commit 1 nodes, holds p1", "gone".
  std::function<void()> on_prepare, on_deactivate;  // may throw
};
HolderScript& ScriptOfHolder();

// For "FIFO": replaces the order of arrival.
std::function<bool(const sdk::Queued&, const sdk::Queued&)>& ScriptOfOrder();

Script& ScriptOf(std::string_view plugin);  // "A" ... "D", "K"
void ClearScripts();

// Binds through the host's binder, like DefaultBinder.
void BindThroughHost(Script& script);
sdk::Host& HostOf(std::string_view plugin);  // of the newest instance
sdk::Objects& ObjectsOf(std::string_view plugin);

std::shared_ptr<const loader::Library> ScriptedLibrary();

}  // namespace berth::fixture
