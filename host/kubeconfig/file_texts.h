// The small files that a configuration is made of, each read once, and whether they hold something else by now.
// Thread: one at a time. Holds secrets.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "kubeconfig/file_stamp.h"

namespace berth::kubeconfig {

class FileTexts {
 public:
  // As ReadSmallFile, and the same each time.
  const base::Result<std::string>& Read(const std::string& path);

  // Whether Read of a file that has been read would differ today. Reads only files whose stamp says that they may have
  // changed. Pipes and devices are taken to be as they were.
  bool HaveChanged();

 private:
  struct File {
    FileStamp stamp;  // from before the text was read
    base::Result<std::string> text;
  };
  static bool HasChanged(const std::string& path, File& file);

  std::map<std::string, File> files_;
};

}  // namespace berth::kubeconfig
