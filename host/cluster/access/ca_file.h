// Updates a CaBundle when its file changes. Upstream watches the file with fsnotify; this class checks it once a
// second, as credentials::Rotation does. Source: k8s.io/apiserver
// pkg/server/dynamiccertificates/dynamic_cafile_content.go. Thread: Load and Look on one thread at a time; after
// Start, Look on the housekeeping thread. Ownership: the bundle outlives it.
#pragma once

#include <optional>
#include <string>

#include "base/housekeeper.h"
#include "base/result.h"
#include "client/credentials/file_texts.h"
#include "cluster/access/ca_bundle.h"

namespace berth::access {

class CaFile {
 public:
  CaFile(std::string path, CaBundle& bundle) : path_(std::move(path)), bundle_(bundle) {}

  base::Result<void> Load();
  // Loads the file again if it has changed. A failure is logged once.
  void Look();
  void Start();

 private:
  const std::string path_;
  CaBundle& bundle_;
  credentials::FileTexts files_;
  std::string error_;                        // of the last load
  std::optional<base::PeriodicTask> looks_;  // destroyed first
};

}  // namespace berth::access
