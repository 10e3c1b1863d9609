// /debug/pprof/: what the process is doing, for go tool pprof. Source: routes.Profiling in
// k8s.io/apiserver/pkg/server/routes/profiling.go, and Go's net/http/pprof.
//
//   /debug/pprof/                     an index
//   /debug/pprof/profile?seconds=N    a CPU profile of N seconds; 30 by default, at most 300
//   /debug/pprof/goroutine            the stacks of all threads, by name; debug=2: one paragraph for each thread
//   /debug/pprof/heap?debug=1         what glibc's allocator says. It does not know who allocated memory, so there
//   are no
//                                     samples for go tool pprof.
//   /debug/pprof/symbol               names of addresses
//   /debug/pprof/cmdline              the command line
//   /debug/pprof/trace                500: there is no execution trace
//
// Thread: any. A profile blocks its caller.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cluster/serve/routes.h"

namespace berth::serve {

// command_line: of the program. stop: ends a profile that is being taken, so that the server can stop.
void AddPprof(Routes& routes, std::vector<std::string> command_line, std::stop_token stop);
// Whether the path is below /debug, where an answer may stop threads for a moment or change the verbosity of the log.
bool IsDebug(std::string_view path);
// Whether the request contains the duration of the answer. Path as in http::Incoming.
bool IsSlow(std::string_view path);

}  // namespace berth::serve
