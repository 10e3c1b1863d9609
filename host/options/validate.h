// What is wrong with flags beyond their spelling, in kube-scheduler's words. Thread: any; pure functions.
#pragma once

#include <string>
#include <vector>

#include "config/feature_gates.h"
#include "options/options.h"

namespace berth::options {

// Told plainly on stderr before logging begins; the program exits with 1.
std::vector<std::string> LoggingErrors(const Logging& logging, const config::FeatureGates& gates);

// Told as the error of the command that failed; the program exits with 1. Of what the gates and the configuration say
// see config::FeatureGates and config::Validate.
std::vector<std::string> Errors(const SchedulerOptions& options, const config::FeatureGates& gates);

// Errors as kube-scheduler shows several: "a", "[a, b]"; one that is there twice is shown once.
std::string Aggregate(const std::vector<std::string>& errors);

}  // namespace berth::options
