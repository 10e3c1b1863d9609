// Writes the decisions of a running scheduler to a file, as JSON lines that `berthctl why --decision-log` reads. A
// thread reads the ring several times a second, so that an attempt takes no longer because of the file. Decisions that
// the ring has lost before they were read, and those that could not be written, are counted in a line of their own.
// Thread: Start on any thread; the destructor on the scheduling thread, or when it has ended. Ownership: the engine
// outlives the sink.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "base/result.h"
#include "cluster/explain/new_decisions.h"
#include "os/file/rotating_file.h"
#include "scheduler/engine/engine.h"

namespace berth::explain {

struct SinkOptions {
  std::string path;
  size_t max_bytes = 100u << 20;  // of one file
  int files = 5;
};

class DecisionSink {
 public:
  // Error: the file cannot be written.
  static base::Result<std::unique_ptr<DecisionSink>> Start(engine::Engine& engine, const SinkOptions& options);
  DecisionSink(engine::Engine& engine, os::RotatingFile file);
  ~DecisionSink();  // writes what the ring has
  DecisionSink(const DecisionSink&) = delete;

 private:
  void Loop(const std::stop_token& stop);
  bool Write(const NewDecisions& batch);  // false: there was nothing new
  std::string Beginning() const;          // of the next piece: the lines that it owes
  void Append(const std::string& piece, uint64_t decisions);

  engine::Engine& engine_;
  os::RotatingFile file_;
  uint64_t seen_ = 0;     // the ID of the last decision that was written or missed
  uint64_t missed_ = 0;   // decisions that no line of the file counts yet
  bool started_ = false;  // the file has the line of this start
  bool failing_ = false;  // the last Append failed
  std::jthread thread_;   // last: it uses the others
};

}  // namespace berth::explain
