#include "crash/record/state_dir.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <vector>

namespace berth::crash {
namespace {

constexpr std::array<const char*, kFiles> kNames = {"crash.record", "restarts", "quarantine"};
constexpr std::string_view kMemoryPrefix = "berth-state:";

// "4,5,6"; empty when it is anything else.
std::vector<int> NumbersOf(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) return {};
    numbers.push_back(number);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return numbers;
}

// Checks that this program made the file: any user can set the variable.
bool IsOurs(int fd, const char* name) {
  std::error_code error;
  const auto target = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  return !error && target.string().starts_with("/memfd:" + std::string(kMemoryPrefix) + name);
}

}  // namespace

base::Result<StateDir> StateDir::Open(const std::string& directory, const char* environment) {
  StateDir place;
  place.directory_ = directory;
  if (!directory.empty()) {
    if (auto opened = place.OpenFiles(); !opened) return tl::unexpected(opened.error());
    return place;
  }
  if (environment != nullptr) place.TakeOver(environment);
  if (auto made = place.MakeMissing(); !made) return tl::unexpected(made.error());
  return place;
}

base::Result<void> StateDir::OpenFiles() {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) return base::Fail("--state-dir: " + directory_ + ": " + error.message());
  for (size_t i = 0; i < kFiles; ++i) {
    paths_[i] = (std::filesystem::absolute(directory_) / kNames[i]).string();
    files_[i] = os::FileDescriptor(open(paths_[i].c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!files_[i].valid()) return base::Fail("--state-dir: " + os::SystemText(paths_[i], errno));
  }
  return {};
}

void StateDir::TakeOver(std::string_view environment) {
  const std::vector<int> numbers = NumbersOf(environment);
  if (numbers.size() != kFiles) return;
  for (size_t i = 0; i < kFiles; ++i) {
    if (!IsOurs(numbers[i], kNames[i])) return;
  }
  for (size_t i = 0; i < kFiles; ++i) {
    fcntl(numbers[i], F_SETFD, FD_CLOEXEC);
    files_[i] = os::FileDescriptor(numbers[i]);
    paths_[i] = "/proc/self/fd/" + std::to_string(numbers[i]);
  }
}

base::Result<void> StateDir::MakeMissing() {
  for (size_t i = 0; i < kFiles; ++i) {
    if (files_[i].valid()) continue;
    files_[i] = os::FileDescriptor(memfd_create((std::string(kMemoryPrefix) + kNames[i]).c_str(), MFD_CLOEXEC));
    if (!files_[i].valid()) return base::Fail(os::SystemText("memfd_create", errno));
    paths_[i] = "/proc/self/fd/" + std::to_string(files_[i].get());
  }
  return {};
}

std::string StateDir::EnvironmentValue() const {
  if (!directory_.empty()) return {};
  std::string value;
  for (const os::FileDescriptor& file : files_) value += (value.empty() ? "" : ",") + std::to_string(file.get());
  return value;
}

std::string StateDir::PathOf(File file, const std::string& directory, const char* environment,
                             const std::string& process) {
  const size_t i = static_cast<size_t>(file);
  if (!directory.empty()) return (std::filesystem::path(directory) / kNames[i]).string();
  const std::vector<int> numbers = NumbersOf(environment == nullptr ? "" : environment);
  if (numbers.size() != kFiles) return {};
  return "/proc/" + process + "/fd/" + std::to_string(numbers[i]);
}

std::string ReadText(const std::string& path) {
  const os::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 65536> piece;
  for (ssize_t n = 1; file.valid() && n > 0;) {
    n = read(file.get(), piece.data(), piece.size());
    if (n > 0) text.append(piece.data(), static_cast<size_t>(n));
  }
  return text;
}

}  // namespace berth::crash
