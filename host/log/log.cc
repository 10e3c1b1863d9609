#include "log/log.h"

#include <glog/logging.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <ostream>
#include <utility>

#include "log/capture.h"
#include "log/vmodule.h"

namespace berth::log {
namespace {

// glog's own limit, less the line break.
constexpr size_t kLongestLine = 30000 - 1;

std::mutex g_mutex;  // taken by whoever changes settings
std::atomic<const VModule*> g_modules{nullptr};

// Readers do not lock: settings stay alive after they were replaced, which happens a few times in a process's life.
void Publish(VModule modules) {
  static auto* kept = new std::vector<std::unique_ptr<const VModule>>;
  kept->push_back(std::make_unique<const VModule>(std::move(modules)));
  g_modules.store(kept->back().get(), std::memory_order_release);
  internal::g_has_modules.store(!kept->back()->empty());
}

// glog may be initialised once per process; it keeps the name's pointer.
void StartGlog(const std::string& program) {
  static const std::string* name = nullptr;
  if (name != nullptr) return;
  name = new std::string(program);
  FLAGS_logtostderr = true;  // no files: a read-only root file system is enough
  FLAGS_colorlogtostderr = false;
  FLAGS_minloglevel = 0;
  if (!google::IsGoogleLoggingInitialized()) google::InitGoogleLogging(name->c_str());
}

// glog would take SIGTERM as well, which is how the process is asked to stop.
void InstallFailureHandler() {
  static bool installed = false;
  if (std::exchange(installed, true)) return;
  struct sigaction terminate;
  sigaction(SIGTERM, nullptr, &terminate);
  google::InstallFailureSignalHandler();
  sigaction(SIGTERM, &terminate, nullptr);
}

void StartWithDefaults() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::lock_guard lock(g_mutex);
    StartGlog(Options{}.program);
  });
}

google::LogSeverity GlogSeverity(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return google::GLOG_INFO;
    case Severity::kWarning: return google::GLOG_WARNING;
    case Severity::kError: return google::GLOG_ERROR;
  }
  return google::GLOG_ERROR;
}

// klog's header: severity, month and day, time, thread, file and line; local time.
std::string Header(Severity severity, std::string_view file, int line) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm local;
  localtime_r(&now.tv_sec, &local);
  char text[64];
  std::snprintf(text, sizeof text, "%c%02d%02d %02d:%02d:%02d.%06ld %7d ", "IWE"[static_cast<int>(severity)],
                local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec, now.tv_nsec / 1000,
                gettid());
  return text + std::string(BaseName(file)) + ":" + std::to_string(std::max(line, 0)) + "] ";
}

void Shorten(std::string& line) {
  if (line.size() <= kLongestLine) return;
  const std::string mark = "... (cut, " + std::to_string(line.size()) + " bytes in all)";
  size_t keep = kLongestLine - mark.size();
  while (keep > 0 && (static_cast<unsigned char>(line[keep]) & 0xc0) == 0x80) --keep;  // not within a character
  line.resize(keep);
  line += mark;
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
  std::lock_guard lock(g_mutex);
  StartGlog(options.program);
  if (options.failure_handler) InstallFailureHandler();
  Publish(std::move(*modules));
  SetVerbosity(options.verbosity);
  return {};
}

void SetVerbosity(int verbosity) { internal::g_verbosity.store(std::max(verbosity, 0)); }

int Verbosity() { return internal::g_verbosity.load(); }

void Log(Severity severity, int v, std::string_view file, int line, std::string_view message,
         std::span<const Pair> pairs) {
  if (severity == Severity::kInfo && !LogEnabled(v, file)) return;
  StartWithDefaults();
  std::string text = Header(severity, file, line) + LineText(message, pairs);
  Shorten(text);
  // The header is ours: glog's has the year and another width for the thread.
  google::LogMessage("", google::LogMessage::kNoLogPrefix, GlogSeverity(severity)).stream() << text;
}

// ---- capture ----

class Capture::Sink : public google::LogSink {
 public:
  void send(google::LogSeverity, const char*, const char*, int, const google::LogMessageTime&, const char* message,
            size_t length) override {
    std::lock_guard lock(mutex_);
    lines_.emplace_back(message, length);
  }
  std::vector<std::string> Lines() const {
    std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

Capture::Capture() : sink_(std::make_unique<Sink>()) {
  StartWithDefaults();
  google::AddLogSink(sink_.get());
}

Capture::~Capture() { google::RemoveLogSink(sink_.get()); }

std::vector<std::string> Capture::Lines() const { return sink_->Lines(); }

std::vector<std::string> Capture::Messages() const {
  std::vector<std::string> messages = Lines();
  for (std::string& line : messages) line.erase(0, line.find("] ") + 2);
  return messages;
}

}  // namespace berth::log
