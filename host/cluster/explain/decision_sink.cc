#include "cluster/explain/decision_sink.h"

#include <chrono>
#include <optional>
#include <utility>

#include "base/pause.h"
#include "base/thread_name.h"
#include "codec/json/value.h"
#include "scheduler/engine/ask.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/describe.h"
#include "telemetry/log/log.h"

namespace berth::explain {
namespace {

constexpr std::chrono::milliseconds kPause{200};

std::string Line(const char* kind, const char* key, int64_t value) {
  return json::Dump(Versioned(kind, json::Value::MakeObject({{key, value}}))) + "\n";
}

}  // namespace

base::Result<std::unique_ptr<DecisionSink>> DecisionSink::Start(engine::Engine& engine, const SinkOptions& options) {
  auto file = os::RotatingFile::Open(options.path, options.max_bytes, options.files);
  if (!file) return tl::unexpected(file.error());
  return std::make_unique<DecisionSink>(engine, *std::move(file));
}

DecisionSink::DecisionSink(engine::Engine& engine, os::RotatingFile file)
    : engine_(engine), file_(std::move(file)), thread_([this](const std::stop_token& stop) { Loop(stop); }) {}

DecisionSink::~DecisionSink() {
  thread_.request_stop();
  thread_.join();
  while (Write(CopyNew(engine_.decisions().ring(), written_))) {
  }
}

void DecisionSink::Loop(const std::stop_token& stop) {
  base::NameThread("decision-log");
  Append(Line("DecisionLogStart", "afterDecision", 0));
  do {
    std::optional<NewDecisions> batch;
    do {
      engine::Engine& engine = engine_;
      batch = engine::Ask(
          engine, [&engine, written = written_] { return CopyNew(engine.decisions().ring(), written); }, stop);
    } while (batch && Write(*batch) && !stop.stop_requested());
  } while (base::PauseFor(kPause, stop));
}

bool DecisionSink::Write(const NewDecisions& batch) {
  std::string lines;
  if (batch.missed != 0) lines += Line("DecisionsMissed", "decisions", static_cast<int64_t>(batch.missed));
  for (const DecisionRef& one : batch.decisions) lines += AttemptText(Describe(one)) + "\n";
  if (lines.empty()) return false;
  Append(lines);
  written_ += batch.missed + batch.decisions.size();
  return true;
}

// A full disk is logged once, and again after it was writable in between.
void DecisionSink::Append(const std::string& lines) {
  const auto done = file_.Append(lines);
  if (!done && !failing_) log::Error("Cannot write the decision log", {{"err", done.error().message}});
  failing_ = !done;
}

}  // namespace berth::explain
