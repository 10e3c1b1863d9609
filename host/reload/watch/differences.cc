#include <map>

#include "reload/watch/fingerprint.h"

namespace berth::reload {
namespace {

constexpr size_t kShownDigits = 12;  // enough for a reader to distinguish digests

std::string Short(const std::string& digest) { return digest.substr(0, kShownDigits); }

// Both have the same path and differ.
std::string FileDifference(const FileState& before, const FileState& after) {
  if (!after.error.empty()) return after.path + " " + after.error;
  if (!before.error.empty()) return after.path + " can be read now (sha256 " + Short(after.digest) + ")";
  if (before.digest != after.digest) {
    return after.path + " has new content (sha256 " + Short(after.digest) + ", was " + Short(before.digest) + ")";
  }
  return after.path + " has another owner or mode";
}

void Compare(const std::vector<FileState>& before, const std::vector<FileState>& after, const std::string& kind,
             std::vector<std::string>& sentences) {
  std::map<std::string, const FileState*> left;  // not found in after
  for (const FileState& file : before) left[file.path] = &file;
  for (const FileState& file : after) {
    const auto old = left.find(file.path);
    if (old != left.end()) {
      if (!(*old->second == file)) sentences.push_back(FileDifference(*old->second, file));
      left.erase(old);
    } else if (file.error.empty()) {
      sentences.push_back(file.path + " is a new " + kind + " (sha256 " + Short(file.digest) + ")");
    } else {
      sentences.push_back(file.path + " is a new " + kind + ", which " + file.error);
    }
  }
  for (const auto& [path, file] : left) sentences.push_back(path + " is no " + kind + " any more");
}

void CompareDirectories(const DirectoryState& before, const DirectoryState& after,
                        std::vector<std::string>& sentences) {
  if (before.error != after.error) {
    sentences.push_back("the directory " + after.path + " " +
                        (after.error.empty() ? "can be listed now" : after.error));
  }
  Compare(before.libraries, after.libraries, "library", sentences);
}

}  // namespace

bool FileState::operator==(const FileState& other) const {
  return path == other.path && digest == other.digest && error == other.error && owner == other.owner &&
         mode == other.mode;
}

bool DirectoryState::operator==(const DirectoryState& other) const {
  return path == other.path && error == other.error && libraries == other.libraries;
}

std::vector<std::string> Differences(const Fingerprint& before, const Fingerprint& after) {
  std::vector<std::string> sentences;
  Compare(before.files, after.files, "watched file", sentences);
  std::map<std::string, const DirectoryState*> left;
  for (const DirectoryState& directory : before.directories) left[directory.path] = &directory;
  for (const DirectoryState& directory : after.directories) {
    const auto old = left.find(directory.path);
    if (old == left.end()) sentences.push_back("the directory " + directory.path + " is watched now");
    CompareDirectories(old == left.end() ? DirectoryState{.path = directory.path} : *old->second, directory, sentences);
    if (old != left.end()) left.erase(old);
  }
  for (const auto& [path, directory] : left) sentences.push_back("the directory " + path + " is watched no more");
  return sentences;
}

}  // namespace berth::reload
