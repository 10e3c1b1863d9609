// The requests that explain decisions; docs/decisions.md describes them.
//
//   GET /admin/v1/decisions        the last decisions, or with ?watch, those that follow
//   GET /admin/v1/decisions/ID     one decision with its nodes
//   GET /admin/v1/pods/NS/NAME     why the pod is where it is, or why it waits
//   GET /admin/v1/queue            the pods that wait
//   GET /admin/v1/nodes            the nodes with their free resources
//   POST /admin/v1/policy/diff    what the last decisions would have been; see policy_diff.h
//   GET /explain                   the page that shows all of it; see page.h
//
// The scheduling thread copies what a request needs between two of its steps; the thread of the request writes the
// text. Nothing here changes the scheduler.
// Thread: the handlers on any thread but the scheduling thread. Ownership: engine and intern outlive the routes.
#pragma once

#include <stop_token>
#include <string_view>

#include "api/intern_tables.h"
#include "cluster/serve/routes.h"
#include "scheduler/engine/engine.h"

namespace berth::explain {

struct ExplainSources {
  engine::Engine& engine;
  api::InternTables& intern;
  std::stop_token ending = {};  // stop: the streams of decisions end
};

// Whether the path, percent-encoded, is one of these, or one below.
bool Explains(std::string_view path);

void AddExplainRoutes(serve::Routes& routes, const ExplainSources& sources);

}  // namespace berth::explain
