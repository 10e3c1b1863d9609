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
constexpr size_t kPiece = size_t{1} << 20;  // a decision can have several hundred kilobytes

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
  while (Write(CopyNew(engine_.decisions().ring(), seen_))) {
  }
}

void DecisionSink::Loop(const std::stop_token& stop) {
  base::NameThread("decision-log");
  Append(Beginning(), 0);
  do {
    std::optional<NewDecisions> batch;
    do {
      engine::Engine& engine = engine_;
      batch = engine::Ask(
          engine, [&engine, seen = seen_] { return CopyNew(engine.decisions().ring(), seen); }, stop);
    } while (batch && Write(*batch) && !stop.stop_requested());
  } while (base::PauseFor(kPause, stop));
}

bool DecisionSink::Write(const NewDecisions& batch) {
  if (batch.missed == 0 && batch.decisions.empty()) return false;
  missed_ += batch.missed;
  std::string piece = Beginning();
  uint64_t decisions = 0;
  for (const DecisionRef& one : batch.decisions) {
    piece += AttemptText(Describe(one)) + "\n";
    ++decisions;
    if (piece.size() < kPiece) continue;
    Append(piece, decisions);
    piece = Beginning();
    decisions = 0;
  }
  if (!piece.empty()) Append(piece, decisions);
  seen_ += batch.missed + batch.decisions.size();
  return true;
}

std::string DecisionSink::Beginning() const {
  std::string lines;
  if (!started_) lines += Line("DecisionLogStart", "afterDecision", 0);
  if (missed_ != 0) lines += Line("DecisionsMissed", "decisions", static_cast<int64_t>(missed_));
  return lines;
}

// A full disk is logged once, and again after it was writable in between.
void DecisionSink::Append(const std::string& piece, uint64_t decisions) {
  const auto done = file_.Append(piece);
  if (!done && !failing_) log::Error("Cannot write the decision log", {{"err", done.error().message}});
  failing_ = !done;
  started_ = started_ || !failing_;
  missed_ = failing_ ? missed_ + decisions : 0;
}

}  // namespace berth::explain
