#include "crash/record/crash_record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <span>
#include <type_traits>

#include "api/pod.h"
#include "crash/record/signal_text.h"
#include "crash/record/symbols.h"
#include "os/crypto/digest.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/policy_generation.h"
#include "telemetry/log/log.h"

namespace berth::crash {
namespace {

static_assert(std::is_trivially_copyable_v<CrashRecord>);
constexpr std::array<char, 8> kMagic = {'B', 'E', 'R', 'T', 'H', 'C', 'R', '2'};
// The previous layout, a prefix of this one.
constexpr std::array<char, 8> kMagic1 = {'B', 'E', 'R', 'T', 'H', 'C', 'R', '1'};
constexpr size_t kSize1 = offsetof(CrashRecord, policy_generation);
static_assert(kSize1 == 8832, "records of the layout before would be read wrongly");

template <size_t N>
void Copy(std::array<char, N>& to, std::string_view from) {
  const size_t n = std::min(from.size(), N - 1);
  memcpy(to.data(), from.data(), n);
  to[n] = '\0';
}

// Read back: the file may hold anything.
template <size_t N>
std::string Text(const std::array<char, N>& from) {
  return std::string(from.data(), strnlen(from.data(), N));
}

std::string DigestOf(const std::string& file) {
  const std::string bytes = ReadText(file);
  return crypto::Sha256Hex(std::as_bytes(std::span(bytes)));
}

}  // namespace

void Begin(CrashRecord& record, int signal, pid_t thread) {
  memset(static_cast<void*>(&record), 0, sizeof record);
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  record.magic = kMagic;
  record.unix_ns = now.tv_sec * base::kSecond + now.tv_nsec;
  record.pid = getpid();
  record.thread = thread;
  record.signal = signal;
}

void Describe(CrashRecord& record, const plugin::RunningCall& call) {
  if (call.instance == nullptr) return;
  const plugin::Instance& instance = *call.instance;
  record.in_plugin = 1;
  Copy(record.point, call.what);
  Copy(record.plugin, instance.name());
  Copy(record.profile, instance.profile());
  Copy(record.library, instance.library().path());
  Copy(record.sha256, instance.library().sha256());
  record.generation = instance.library().generation();
  record.policy_generation = plugin::PublishedGeneration();
  if (call.pod == nullptr) return;
  Copy(record.pod, call.pod->key());
  Copy(record.pod_profile, instance.services().intern.ids.Text(call.pod->abi.scheduler_name));  // takes no lock
}

void Write(const CrashRecord& record, int fd) {
  const char* bytes = reinterpret_cast<const char*>(&record);
  for (size_t done = 0; done < sizeof record;) {
    const ssize_t n = pwrite(fd, bytes + done, sizeof record - done, static_cast<off_t>(done));
    if (n <= 0) return;  // nothing can be done about an error
    done += static_cast<size_t>(n);
  }
}

void WriteLine(const CrashRecord& record) {
  SignalText text;
  text << "berth-scheduler: ";
  if (record.signal != 0) {
    text << "signal " << record.signal;
  } else {
    text << "a call did not return for " << record.waited_ns / base::kMillisecond << " ms";
  }
  if (record.in_plugin != 0) {
    text << " in " << record.point.data() << " of plugin " << record.plugin.data() << " of profile "
         << record.profile.data() << ", pod " << (record.pod[0] == '\0' ? "-" : record.pod.data()) << ", library "
         << record.library.data() << " sha256 " << record.sha256.data() << ", generation "
         << static_cast<int64_t>(record.policy_generation) << " of policy";
  } else {
    text << ", not in a plugin";
  }
  text << "\n";
  log::Flush();  // earlier log lines come first, if the log thread can write them
  text.WriteTo(STDERR_FILENO);
}

std::optional<CrashRecord> TakeRecord(const StateDir& place) {
  CrashRecord record{};
  const int fd = place.fd(File::kRecord);
  const ssize_t n = pread(fd, &record, sizeof record, 0);
  if (n > 0 && ftruncate(fd, 0) != 0) return std::nullopt;  // otherwise each start would report it again
  const bool whole = n == static_cast<ssize_t>(sizeof record) && record.magic == kMagic;
  if (!whole && !(n == static_cast<ssize_t>(kSize1) && record.magic == kMagic1)) return std::nullopt;
  record.n_frames = std::min<uint32_t>(record.n_frames, kMostFrames);
  return record;
}

std::string WhatHappened(const CrashRecord& record) {
  if (record.signal != 0) {
    return "signal " + std::to_string(record.signal) + " (" + strsignal(record.signal) + ")";
  }
  char text[64];
  std::snprintf(text, sizeof text, "the call did not return for %.1f s", static_cast<double>(record.waited_ns) / 1e9);
  return text;
}

std::string WhereItHappened(const CrashRecord& record) {
  if (record.in_plugin == 0) return {};
  const std::string profile = Text(record.profile), pod_profile = Text(record.pod_profile);
  std::string pod = Text(record.pod);
  if (!pod.empty() && !pod_profile.empty() && pod_profile != profile) pod += " of profile " + pod_profile;
  return Text(record.plugin) + " of profile " + profile + ", in " + Text(record.point) +
         (pod.empty() ? "" : " of pod " + pod) + ", library " + Text(record.library) +
         (record.policy_generation == 0 ? ""
                                        : ", generation " + std::to_string(record.policy_generation) + " of policy");
}

std::vector<std::string> StackOf(const CrashRecord& record) {
  std::vector<std::string> stack;
  Symbols symbols;
  const std::string library = Text(record.library);
  const bool replaced = !library.empty() && DigestOf(library) != Text(record.sha256);
  for (uint32_t i = 0; i < record.n_frames; ++i) {
    const CrashRecord::Frame& frame = record.frames[i];
    char text[64];
    if (frame.module >= kMostModules) {
      std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(frame.address));
      stack.emplace_back(text);
      continue;
    }
    const std::string file = Text(record.modules[frame.module]);
    // The address in a caller's frame is that of the instruction after the call.
    const uint64_t at = i == 0 ? frame.offset : frame.offset - 1;
    const std::string name = replaced && file == library ? "" : symbols.NameAt(file, at);
    std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(frame.offset));
    stack.push_back((name.empty() ? "" : name + " in ") + file + text);
  }
  return stack;
}

}  // namespace berth::crash
