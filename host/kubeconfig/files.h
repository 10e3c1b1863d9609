// Files that hold configuration and credentials: small, replaced now and then, private. Thread: any.
#pragma once

#include <string>

#include "base/result.h"

namespace berth::kubeconfig {

// The whole file, at most 1 MiB. Errors as Go words them: "open /x: no such file or directory".
base::Result<std::string> ReadSmallFile(const std::string& path);

// path, or folder/path when it is relative; empty stays empty.
std::string Resolved(const std::string& path, const std::string& folder);
// The absolute folder of a file.
std::string FolderOf(const std::string& path);

// Whether text has a whole PEM block of a certificate, or of a private key of any kind. What is inside is for TLS to
// judge.
bool HoldsPemCertificate(const std::string& text);
bool HoldsPemKey(const std::string& text);

}  // namespace berth::kubeconfig
