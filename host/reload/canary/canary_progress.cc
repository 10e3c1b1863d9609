#include "reload/canary/canary_progress.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

#include "codec/json/value.h"
#include "plugin/instance/instance.h"
#include "reload/canary/memory_limit.h"

namespace berth::canary {
namespace {

int g_out = -1;

void Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(g_out, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the parent no longer listens, and will end this process
    text.remove_prefix(static_cast<size_t>(n));
  }
}

// Writes one line. The parts may contain any bytes.
void Line(std::string line) {
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  Write(line += '\n');
}

// Async-signal-safe.
void WriteNumber(uint64_t number) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  Write(std::string_view(digits.data(), static_cast<size_t>(end - digits.data())));
}

// Async-signal-safe. The process may have failed because it had no more memory.
void TellMemory() {
  const MemoryLimit::Use use = MemoryLimit::Taken();
  if (!use.notable) return;
  Write("memory ");
  WriteNumber(use.most >> 20);
  Write(" ");
  WriteNumber(use.limit >> 20);
  Write("\n");
}

// Async-signal-safe: reads the call of the interrupted thread, and reports it.
extern "C" void OnSignal(int number) {
  const plugin::RunningCall call = plugin::CallOfThread();
  if (call.instance != nullptr) {
    for (const std::string_view part :
         {std::string_view("call "), std::string_view(call.what), std::string_view(" of plugin "),
          std::string_view(call.instance->name()), std::string_view(" of profile "),
          std::string_view(call.instance->profile()), std::string_view("\n")}) {
      Write(part);
    }
  }
  TellMemory();
  if (number == SIGTERM) _exit(1);
  raise(number);  // the action is the default one again
}

json::Value TextsOf(const std::vector<std::string>& texts) {
  json::Value out{json::Array()};
  for (const std::string& text : texts) out.Append(text);
  return out;
}

}  // namespace

void Progress::Begin() {
  g_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  static std::array<char, size_t{64} << 10> stack;  // a stack overflow of a plugin must still be reported
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = OnSignal;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM}) sigaction(number, &action, nullptr);
}

void Progress::Step(const std::string& what) { Line("step " + what); }
void Progress::While(const std::string& what) { Line("while " + what); }
void Progress::Without(const std::string& what) { Line("without " + what); }
void Progress::Ok(const std::vector<std::string>& sha256) { Line("ok " + json::Dump(TextsOf(sha256))); }
void Progress::Errors(const std::vector<std::string>& texts) {
  TellMemory();
  Line(json::Dump(json::Value::MakeObject({{"errors", TextsOf(texts)}})));
}

}  // namespace berth::canary
