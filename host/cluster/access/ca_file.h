// Updates a CaBundle when its file changes. Upstream watches the file with fsnotify; this class checks it once a
// second, as credentials::Rotation does. Source: k8s.io/apiserver
// pkg/server/dynamiccertificates/dynamic_cafile_content.go. Thread: Load and Look on one thread at a time; Start moves
// Look to a separate thread. Ownership: the bundle outlives it.
#pragma once

#include <string>
#include <thread>

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
  std::string error_;  // of the last load
  std::jthread thread_;
};

}  // namespace berth::access
