// The small files of a configuration, each read once, and whether they have changed since. Thread: one at a time. Holds
// secrets.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "client/credentials/file_stamp.h"

namespace berth::credentials {

class FileTexts {
 public:
  // As ReadSmallFile; later calls return the same text.
  const base::Result<std::string>& Read(const std::string& path);

  // Makes Read return this text for a name that is no file. HaveChanged is not for objects with such texts.
  void Put(const std::string& name, std::string text);

  // Whether a file that has been read has changed. Reads only files whose stamp has changed or is not settled. Pipes
  // and devices count as unchanged.
  bool HaveChanged();

 private:
  struct File {
    FileStamp stamp;  // from before the text was read
    base::Result<std::string> text;
  };
  static bool HasChanged(const std::string& path, File& file);

  std::map<std::string, File> files_;
};

}  // namespace berth::credentials
