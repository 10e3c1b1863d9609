// Whose files may become part of the scheduler: plugins run in its process with all its rights.
// Thread: any.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crypto/signature.h"
#include "loader/rule.h"

namespace berth::loader {

struct TrustRules {
  // Files must lie below one of these, symbolic links resolved; empty: anywhere. Directories that do not exist allow
  // nothing.
  std::vector<std::string> allowed_directories;
  // The file, and every directory in which a name on the way to it is looked up, belongs to root or the process's user
  // and is not writable by group or others. A sticky directory may be, where what the way goes on to is theirs; so may
  // one on a read-only mount, but for the file's own.
  bool check_owner = false;
  bool require_digest = false;  // opening needs a pinned digest
  // Opening needs FILE.sig beside the file, made with one of these; empty: none is asked for.
  std::vector<crypto::Ed25519Key> signature_keys;
};

// Judges an open file: the answer holds for the file that is read, whatever its name points to by now. path: by which
// it was opened; both this way and the real one are judged. Fails with BP-2.
std::optional<Finding> CheckTrust(int fd, const std::string& path, const TrustRules& rules);

// Judges the bytes read from path by the signature beside it: 64 bytes. Fails with BP-29.
std::optional<Finding> CheckSignature(const std::string& path, std::span<const std::byte> bytes,
                                      const TrustRules& rules);

}  // namespace berth::loader
