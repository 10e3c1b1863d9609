// Reads files with configuration and credentials: small, private, and sometimes replaced. Thread: any.
#pragma once

#include <string>

#include "base/result.h"

namespace berth::credentials {

// The content of the file, at most 1 MiB. Errors are those of Go: "open /x: no such file or directory".
base::Result<std::string> ReadSmallFile(const std::string& path);

// path, or folder/path when it is relative; empty stays empty.
std::string Resolved(const std::string& path, const std::string& folder);
// The absolute folder of a file.
std::string FolderOf(const std::string& path);

// Whether text contains a complete PEM block of a certificate, or of a private key of any type. TLS checks the content
// of the block.
bool HoldsPemCertificate(const std::string& text);
bool HoldsPemKey(const std::string& text);

}  // namespace berth::credentials
