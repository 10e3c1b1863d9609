#include "telemetry/log/log.h"

#include <glog/logging.h>
#include <signal.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "telemetry/log/output.h"
#include "telemetry/log/vmodule.h"

namespace berth::log {
namespace {

base::Mutex g_mutex;  // held while settings change
std::atomic<const VModule*> g_modules{nullptr};

// Readers do not lock: replaced settings are not freed, and they are replaced only a few times per process.
void Publish(VModule modules) REQUIRES(g_mutex) {
  static auto* kept = new std::vector<std::unique_ptr<const VModule>>;
  kept->push_back(std::make_unique<const VModule>(std::move(modules)));
  g_modules.store(kept->back().get(), std::memory_order_release);
  internal::g_has_modules.store(!kept->back()->empty());
}

// Berth uses only glog's stack trace of a fatal signal. glog would also handle SIGTERM, which requests a shutdown.
void InstallFailureHandler(const std::string& program) {
  static const std::string* name = nullptr;  // glog keeps the pointer
  if (name != nullptr) return;
  name = new std::string(program);
  FLAGS_logtostderr = true;  // no files: the root file system may be read-only
  if (!google::IsGoogleLoggingInitialized()) google::InitGoogleLogging(name->c_str());
  struct sigaction terminate;
  sigaction(SIGTERM, nullptr, &terminate);
  google::InstallFailureSignalHandler();
  sigaction(SIGTERM, &terminate, nullptr);
}

}  // namespace

namespace internal {

bool ModuleEnables(int v, std::string_view file) {
  const VModule* modules = g_modules.load(std::memory_order_acquire);
  return modules != nullptr && v <= modules->LevelOf(file);
}

}  // namespace internal

base::Result<void> Init(const Options& options) {
  base::Result<VModule> modules = VModule::Parse(options.vmodule);
  if (!modules) return tl::unexpected(modules.error());
  base::MutexLock lock(g_mutex);
  SetFormat(options.format);
  SetStreams(options.streams);
  if (options.failure_handler) InstallFailureHandler(options.program);
  Publish(std::move(*modules));
  SetVerbosity(options.verbosity);
  return {};
}

void SetVerbosity(int verbosity) { internal::g_verbosity.store(std::max(verbosity, 0)); }

int Verbosity() { return internal::g_verbosity.load(); }

void Log(Severity severity, int v, std::string_view file, int line, std::string_view message,
         std::span<const Pair> pairs) {
  if (severity == Severity::kInfo && !LogEnabled(v, file)) return;
  // Warnings have no separate severity in JSON: klog writes them as info lines.
  const bool info = severity == Severity::kInfo || (severity == Severity::kWarning && CurrentFormat() == Format::kJson);
  WriteLine(Formatted({severity, v, file, line, message, pairs}), info);
}

}  // namespace berth::log
