// Validates flags beyond their spelling, with kube-scheduler's messages. Thread: any; pure functions.
#pragma once

#include <string>
#include <vector>

#include "config/configuration/feature_gates.h"
#include "config/options/options.h"

namespace berth::options {

// Errors that the program prints on stderr before logging begins; it exits with 1.
std::vector<std::string> LoggingErrors(const Logging& logging, const config::FeatureGates& gates);

// Errors that the program reports as the error of the command; it exits with 1. config::FeatureGates and
// config::Validate check the gates and the configuration.
std::vector<std::string> Errors(const SchedulerOptions& options, const config::FeatureGates& gates);

// Those of what any program serves.
std::vector<std::string> ServingErrors(const Serving& serving, const Authentication& authentication,
                                       const Metrics& metrics, const config::FeatureGates& gates);
// Several errors as kube-scheduler prints them: "a", "[a, b]"; a repeated error is shown once.
std::string Aggregate(const std::vector<std::string>& errors);

}  // namespace berth::options
