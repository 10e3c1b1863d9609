// The page of decisions over a simulation that is quiet. Thread: main, which becomes the scheduling thread again.
#pragma once

#include <ostream>
#include <string>

#include "api/intern_tables.h"
#include "config/configuration/configuration.h"
#include "scheduler/engine/engine.h"

namespace berth::ctl {

struct QuietSimulation {
  engine::Engine& engine;
  api::InternTables& intern;
  const config::Configuration& configuration;
};

// Serves until the user interrupts the program. Returns the exit code.
int ServeSimulation(const std::string& address, const QuietSimulation& simulation, std::ostream& err);

}  // namespace berth::ctl
