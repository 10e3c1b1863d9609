// What placement figures need to know about nodes and pods, from the objects. Thread: any; pure functions.
#pragma once

#include "api/intern_tables.h"
#include "api/node.h"
#include "api/pod.h"
#include "scheduler/what_if/placement_figures.h"

namespace berth::what_if {

NodeFacts FactsOf(const api::Node& node, const api::InternTables& intern);
PodFacts FactsOf(const api::Pod& pod, const api::InternTables& intern);

}  // namespace berth::what_if
