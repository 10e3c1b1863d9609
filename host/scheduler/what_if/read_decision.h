// Reads a Decision as explain::DecisionText writes it: a line of a decision log, or an answer of the API.
// Thread: any; a pure function.
#pragma once

#include <memory>

#include "base/result.h"
#include "codec/json/value.h"
#include "scheduler/decisions/decision.h"

namespace berth::what_if {

// Of the numbers, only id and generation are read. Error: the lists of nodes do not have the same length, a verdict has
// no rejection, or the scores of a plugin have no weight, as before Berth recorded weights.
base::Result<std::shared_ptr<const decisions::Decision>> ReadDecision(const json::Value& value);

}  // namespace berth::what_if
