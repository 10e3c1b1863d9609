// Decisions and explanations as JSON; docs/decisions.md describes the format. Thread: any; pure functions.
#pragma once

#include <string>
#include <vector>

#include "codec/json/value.h"
#include "scheduler/decisions/decision.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

json::Value DecisionJson(const decisions::Decision& decision);  // without the nodes

// The text of a Decision with apiVersion and kind, and with the nodes if there are any. Written directly, because it
// may have hundreds of thousands of numbers.
std::string DecisionText(const decisions::Decision& decision);

// The same of an explained attempt, with the members "summary" and "groups": a line of a decision log.
std::string AttemptText(const Explanation& attempt);

json::Value ExplanationJson(const Explanation& explanation);

json::Value SuggestionsJson(const std::vector<Suggestion>& suggestions);

json::Value TextsJson(const std::vector<std::string>& texts);

// An object with apiVersion and kind in front of the members of value.
json::Value Versioned(const char* kind, json::Value value);

}  // namespace berth::explain
