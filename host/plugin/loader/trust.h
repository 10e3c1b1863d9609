// Which files the scheduler loads: plugins run in its process with all its rights.
// Thread: any.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "os/crypto/signature.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

struct TrustRules {
  // Files must be below one of these, with symbolic links resolved; empty: anywhere. A directory that does not exist
  // allows nothing.
  std::vector<std::string> allowed_directories;
  // The file, and every directory on its path, must belong to root or to the user of the process, and must not be
  // writable by group or others. A sticky directory may be writable when the next element of the path belongs to them;
  // so may a directory on a read-only mount, except the directory of the file.
  bool check_owner = false;
  bool require_digest = false;  // opening needs a pinned digest
  // Opening needs FILE.sig next to the file, made with one of these keys; empty: no signature is needed.
  std::vector<crypto::Ed25519Key> signature_keys;
};

// Checks an open file: the result holds for the file that is read, whatever its name points to now. path: the path by
// which it was opened. Checks this path and the resolved one. Fails with BP-2.
std::optional<Finding> CheckTrust(int fd, const std::string& path, const TrustRules& rules);

// Checks the bytes read from path against the signature next to it: 64 bytes. Fails with BP-29.
std::optional<Finding> CheckSignature(const std::string& path, std::span<const std::byte> bytes,
                                      const TrustRules& rules);

}  // namespace berth::loader
