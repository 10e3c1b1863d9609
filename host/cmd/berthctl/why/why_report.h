// The text of `berthctl why -o table`. Thread: any; pure functions.
#pragma once

#include <cstddef>
#include <ostream>

#include "codec/json/value.h"

namespace berth::ctl {

// explanation: a PodExplanation. width: columns to wrap paragraphs at.
void PrintExplanation(std::ostream& out, const json::Value& explanation, size_t width);

// Prints the nodes of a Decision: every node with its verdict, and the totals of the best ones.
void PrintNodes(std::ostream& out, const json::Value& decision);

// Prints what differs between two Decisions: the results, and the nodes whose verdict or total changed.
void PrintDifference(std::ostream& out, const json::Value& before, const json::Value& after);

}  // namespace berth::ctl
