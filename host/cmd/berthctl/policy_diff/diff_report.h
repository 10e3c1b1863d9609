// The text of `berthctl policy diff -o table`. Thread: any; pure functions.
#pragma once

#include <ostream>

#include "codec/json/value.h"

namespace berth::ctl {

// diff: a PolicyDiff.
void PrintDiff(std::ostream& out, const json::Value& diff);

// Whether the PolicyDiff is about any pod.
bool LooksAtSomething(const json::Value& diff);

// Whether a pod of the PolicyDiff moves, or may move because its decision is not exact.
bool MayMove(const json::Value& diff);

}  // namespace berth::ctl
