#include "reload/watch/fingerprint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "os/crypto/digest.h"
#include "os/fd/file_descriptor.h"
#include "plugin/loader/file.h"

namespace berth::reload {
namespace {

// A second write within the resolution of a file system's clock (FAT: 2 s) does not change a file's times. So the times
// of a file that changed so recently do not prove that its content is known.
constexpr int64_t kCoarsestClock = 4 * base::kSecond;

std::string ErrorText(const char* verb, int error) {
  if (error == ENOENT) return "does not exist";
  return os::SystemText(verb, error);
}

bool OldEnough(const FileId& id, int64_t wall_ns) { return wall_ns - id.ctime_ns > kCoarsestClock; }

}  // namespace

Fingerprinter::Taken Fingerprinter::Take(const FileSnapshot& survey) {
  settled_ = true;
  used_.clear();
  Taken taken;
  for (const FileSighting& sight : survey.files) {
    taken.fingerprint.files.push_back(StateOf(sight, IsLibraryName(sight.path.substr(sight.path.rfind('/') + 1))));
  }
  for (const DirectorySighting& sight : survey.directories) {
    DirectoryState state{.path = sight.path, .resolved = sight.resolved};
    if (sight.error != 0) state.error = ErrorText("cannot be listed", sight.error);
    for (const FileSighting& library : sight.libraries) state.libraries.push_back(StateOf(library, true));
    taken.fingerprint.directories.push_back(std::move(state));
  }
  digests_.swap(used_);  // drops files that no longer exist
  taken.settled = settled_;
  return taken;
}

Fingerprint Fingerprinter::TakeNow(const WatchedPaths& paths) {
  const WatchedPaths absolute = paths.Absolute();
  Taken taken = Take(TakeFileSnapshot(absolute));
  for (int again = 0; again < 2 && !taken.settled; ++again) taken = Take(TakeFileSnapshot(absolute));
  return std::move(taken.fingerprint);
}

FileState Fingerprinter::StateOf(const FileSighting& sight, bool library) {
  FileState state{.path = sight.path, .resolved = sight.resolved, .owner = sight.id.owner, .mode = sight.id.mode};
  if (sight.error != 0) {
    state.error = ErrorText("cannot be reached", sight.error);
  } else if (!S_ISREG(sight.id.mode)) {
    state.error = "is not a regular file";
  } else if (sight.id.size > static_cast<int64_t>(loader::kLargestFile)) {
    state.error = "has " + std::to_string(sight.id.size) + " bytes, which is too many";
  } else if (const auto known = digests_.find(sight.id); library && known != digests_.end()) {
    state.digest = known->second;
    used_.insert(*known);
  } else {
    Read(sight, library, state);
  }
  return state;
}

void Fingerprinter::Read(const FileSighting& sight, bool library, FileState& state) {
  const int64_t begun_ns = base::RealClock().WallUnixNs();
  // Not blocking: a FIFO may have taken the file's place.
  const os::FileDescriptor file(
      open(sight.resolved.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  if (!file.valid()) {
    settled_ = settled_ && errno != ENOENT && errno != ELOOP && errno != ENOTDIR;  // it existed a moment ago
    state.error = ErrorText("cannot be opened", errno);
    return;
  }
  struct stat status;
  const auto unchanged = [&] { return fstat(file.get(), &status) == 0 && FileId::Of(status) == sight.id; };
  base::Result<std::vector<std::byte>> bytes;
  bool whole = unchanged();
  if (whole) {
    ++files_read_;
    bytes = os::ReadAll(file.get(), static_cast<size_t>(sight.id.size));
    whole = unchanged();
  }
  if (!whole) {
    settled_ = false;
    state.error = "changes while it is read";
  } else if (!bytes) {
    state.error = bytes.error().message;
  } else {
    state.digest = crypto::Sha256Hex(*bytes);
    if (library && OldEnough(sight.id, begun_ns)) used_.emplace(sight.id, state.digest);
  }
}

}  // namespace berth::reload
