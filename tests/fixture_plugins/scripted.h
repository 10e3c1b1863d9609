// Four plugins, "A" to "D", that offer every extension point but queueSort and do what a test's script says; "K", which
// is like them, but lets its filter's answers be kept for as long as a node's labels stay the same; "R", likewise, for
// as long as the sum of its pods' requests does; "FIFO", a queueSort of equal pods in the order in which they came; and
// "H", which only reserves, counts what is on
// the rows, and hands over what it knows. They go through the real ABI, without a file. Thread: scripts are set while
// no plugin is called; a script that is called on binding threads guards what it changes.
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
#include "loader/library.h"

namespace berth::fixture {

using sdk::Cycle;
using sdk::Id;
using sdk::Pod;
using sdk::Status;

// What one plugin does; an empty function is the harmless answer: SUCCESS, score 0, SKIP from bind.
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

// Of "H" and "S". Each instance counts for itself.
struct HolderScript {
  std::function<void(const std::string&)> tell;  // "adopt p1 n1 STATE", "settle p1 bound", "load VERSION STATE"
  std::function<void()> on_deltas;               // before they are counted; may throw
  // Of "S", which makes its own successors: "prepare", "commit 1 nodes, holds p1", "gone".
  std::function<void()> on_prepare, on_deactivate;  // may throw
};
HolderScript& ScriptOfHolder();

// Of "FIFO", in place of the order in which pods came.
std::function<bool(const sdk::Queued&, const sdk::Queued&)>& ScriptOfOrder();

Script& ScriptOf(std::string_view plugin);  // "A" ... "D", "K"
void ClearScripts();

// One that binds through the host's binder, as DefaultBinder does.
void BindThroughHost(Script& script);
sdk::Host& HostOf(std::string_view plugin);  // of the instance made last
sdk::Objects& ObjectsOf(std::string_view plugin);

std::shared_ptr<const loader::Library> ScriptedLibrary();

}  // namespace berth::fixture
