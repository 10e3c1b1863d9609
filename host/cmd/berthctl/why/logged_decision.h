// What a decision of a decision log says about its pod. Thread: any; pure functions.
#pragma once

#include "codec/json/value.h"

namespace berth::ctl {

// A decision as in a list or an explanation of a scheduler: without what only the line has.
json::Value SummaryOf(json::Value decision);

// A PodExplanation. decision: with its summary and groups. pending: the explanation with suggestions that the log has
// of the pod; null: none.
json::Value ExplanationOf(const json::Value& decision, const json::Value& pending);

}  // namespace berth::ctl
