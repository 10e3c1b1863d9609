// The API of decisions over a decision log, as far as the log knows. docs/decisions.md describes the format.
//
//   GET /admin/v1/decisions        as a scheduler; a stream has no decision, because the log is read once
//   GET /admin/v1/decisions/ID     the line of the log
//   GET /admin/v1/pods/NS/NAME     the last decision about the pod, with its summary and groups
//   GET /admin/v1/queue            the pods whose last decision has failed
//   GET /admin/v1/nodes            the names of nodes, without resources and labels
//   GET /explain                   the page
//
// Thread: the handlers on any thread.
#pragma once

#include <memory>

#include "cluster/serve/routes.h"
#include "cmd/berthctl/why/log_index.h"

namespace berth::ctl {

void AddLogRoutes(serve::Routes& routes, std::shared_ptr<const LogIndex> index);

}  // namespace berth::ctl
