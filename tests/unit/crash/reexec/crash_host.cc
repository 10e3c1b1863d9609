// A host with one plugin, for process_test: calls its filter once, and prints its state on standard output.
//   recovery_host STATE_DIR|- LIBRARY [no-restart] [stubborn] [on-a-thread] [stops] [sleeps] [waits-in-host]
//   [leads|led]
// STATE_DIR "-": none. stubborn: it calls the library although it is in quarantine. on-a-thread: the call does not run
// on the main thread. stops, sleeps, waits-in-host: instead of running the filter, the call stops the whole
// process, blocks for ever, or waits 3 s in a service of the host. leads, led: it offers the variable IDENTITY to the
// next program, for a minute or for no time.
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "base/clock.h"
#include "crash/reexec/reexec.h"
#include "crash/signals/fatal_signals.h"
#include "crash/watchdog/watchdog.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/policy_generation.h"
#include "plugin/loader/loader.h"
#include "policy/quarantine/quarantine.h"

namespace {

using namespace berth;  // NOLINT: one program

void Say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

[[noreturn]] void Fail(const std::string& why) {
  Say("failed: " + why);
  std::exit(2);
}

size_t OpenDescriptors() {
  size_t n = 0;
  DIR* directory = opendir("/proc/self/fd");
  while (readdir(directory) != nullptr) ++n;
  closedir(directory);
  return n;
}

void TellOfCrash(const crash::StateDir& place, const quarantine::Quarantine& quarantine) {
  const auto record = crash::TakeRecord(place);
  if (!record) return;
  Say("crash: " + crash::WhatHappened(*record) + ": " + crash::WhereItHappened(*record));
  for (const std::string& frame : crash::StackOf(*record)) Say("frame: " + frame);
  if (record->in_plugin == 0) return;
  const quarantine::QuarantineEntry entry{.sha256 = record->sha256.data(),
                                          .unix_seconds = time(nullptr),
                                          .profile = "*",
                                          .plugin = "*",
                                          .reason = crash::WhatHappened(*record)};
  record->signal == 0 ? quarantine.AddForATime(entry) : quarantine.Add(entry);
}

berth_status StopTheProcess() {
  kill(getpid(), SIGSTOP);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the watchdog looks first
  return BERTH_SUCCESS;
}

berth_status SleepForEver() {
  for (;;) pause();
}

berth_status WaitInTheHost() {
  const plugin::HostTime host;
  std::this_thread::sleep_for(std::chrono::seconds(3));
  return BERTH_SUCCESS;
}

void Call(plugin::Instance& instance, const std::set<std::string>& intern) {
  const plugin::Status status = instance.Call("Filter", [&] {
    if (intern.contains("stops")) return StopTheProcess();
    if (intern.contains("sleeps")) return SleepForEver();
    if (intern.contains("waits-in-host")) return WaitInTheHost();
    return instance.tables().filter->filter(instance.raw(), nullptr, nullptr, nullptr, nullptr);
  });
  Say("filter: " + status.Message());
  Say("faults: " + std::to_string(instance.faults()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::set<std::string> intern(argv + 3, argv + argc);
  const std::string directory = argv[1], library_file = argv[2];
  auto place = crash::StateDir::Open(directory == "-" ? "" : directory, std::getenv(crash::StateDir::kEnvironment));
  if (!place) Fail(place.error().message);
  const quarantine::Quarantine quarantine(place->path(crash::File::kQuarantine));
  Say("begin, descriptors: " + std::to_string(OpenDescriptors()));
  const char* identity = std::getenv("IDENTITY");
  Say(std::string("identity: ") + (identity == nullptr ? "none" : identity));
  TellOfCrash(*place, quarantine);
  crash::Prepare(std::move(*place), {!intern.contains("no-restart"), argv});
  crash::InstallSignalHandlers();
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  const std::atomic<int64_t> held_until{(now.tv_sec + (intern.contains("leads") ? 60 : 0)) * base::kSecond};
  std::optional<crash::OfferedVariable> offer;
  if (intern.contains("leads") || intern.contains("led")) offer.emplace("IDENTITY", "node_1", held_until);

  loader::Loader loader;
  auto library = loader.Open(library_file);
  if (!library) Fail(library.error().message);
  if (const auto why = quarantine.Why((*library)->sha256(), "any", "any", time(nullptr));
      why && !intern.contains("stubborn")) {
    Say("quarantine: " + *why);
    return 0;
  }
  api::InternTables vocabulary;
  plugin::Services services(vocabulary);
  plugin::InstanceSpec spec;
  spec.library = *library;
  spec.name = spec.library_plugin = (*library)->PluginNames().front();
  spec.profile = "some-profile";
  spec.faults.hang_after_ns = base::kSecond / 2;
  auto instance = plugin::Instance::Create(std::move(spec), services);
  if (!instance) Fail(instance.error().message);
  plugin::SetPublishedGeneration(5);
  const int leaked = dup(STDOUT_FILENO);  // not close-on-exec, as sockets of some libraries are not
  if (leaked < 0) Fail("no descriptor");
  crash::WatchdogOptions watching;
  watching.look_every = std::chrono::milliseconds(50);
  const crash::Watchdog watchdog(watching);
  if (intern.contains("on-a-thread")) {
    std::thread([&] { Call(**instance, intern); }).join();
  } else {
    Call(**instance, intern);
  }
  return 0;
}
