#include "cluster/process/run_program.h"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "client/http/threads.h"
#include "cluster/election/identity.h"
#include "cluster/process/small_heap.h"
#include "os/machine/cpus.h"
#include "os/machine/hostname.h"
#include "telemetry/log/log.h"

namespace berth::process {

void RunProgram(const std::function<int(const Start&)>& run) {
  KeepHeapSmall();
  std::string identity = election::TakeIdentity(os::Hostname());
  Signals signals;  // before the first thread: all threads inherit the blocked signals
  http::InitializeThreads(os::CgroupCpus() + 2);
  const int code = run({signals, std::move(identity)});
  std::cout.flush();
  std::cerr.flush();
  log::Flush();
  _exit(code);  // threads of cpprestsdk must not race against the end of static objects
}

}  // namespace berth::process
