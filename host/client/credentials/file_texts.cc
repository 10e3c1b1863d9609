#include "client/credentials/file_texts.h"

#include <utility>

#include "client/credentials/files.h"

namespace berth::credentials {
namespace {

bool Same(const base::Result<std::string>& a, const base::Result<std::string>& b) {
  if (a.has_value() != b.has_value()) return false;
  return a ? *a == *b : a.error().message == b.error().message;
}

}  // namespace

const base::Result<std::string>& FileTexts::Read(const std::string& path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second.text;
  const FileStamp stamp = StampOf(path);
  return files_.emplace(path, File{stamp, ReadSmallFile(path)}).first->second.text;
}

void FileTexts::Put(const std::string& name, std::string text) {
  files_.insert_or_assign(name, File{FileStamp{}, std::move(text)});
}

bool FileTexts::HaveChanged() {
  bool changed = false;
  for (auto& [path, file] : files_) changed = HasChanged(path, file) || changed;
  return changed;
}

bool FileTexts::HasChanged(const std::string& path, File& file) {
  const FileStamp stamp = StampOf(path);
  if (stamp.exists && !stamp.regular) return false;
  if (stamp.SameFile(file.stamp) && (file.stamp.settled || !stamp.exists)) return false;
  file.stamp = stamp;
  return !Same(file.text, ReadSmallFile(path));
}

}  // namespace berth::credentials
