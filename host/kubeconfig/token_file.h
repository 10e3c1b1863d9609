// A bearer token in a file that somebody renews (kubelet, for service accounts). Source: client-go's
// NewCachedFileTokenSource: what was read serves for 50 s, and on when the file cannot be read. Beyond client-go, the
// file is read again when it has changed. Asked for each request, on transport threads; looks at the file once a second
// and may read it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kubeconfig/file_stamp.h"

namespace berth::kubeconfig {

inline constexpr int64_t kTokenFresh = 50 * base::kSecond;  // a minute less ten seconds of leeway
inline constexpr int64_t kTokenLook = base::kSecond;        // between looks at whether the file has changed
// After a failure with an older token at hand. client-go tries, and logs, with each request.
inline constexpr int64_t kTokenRetry = 10 * base::kSecond;

class TokenFile {
 public:
  // fallback: serves until the file has been read; may be empty. The clock outlives this.
  TokenFile(std::string path, std::string fallback, const base::Clock& clock);

  // Fails only when there is no token at all: no fallback, and the file could not be read yet.
  base::Result<std::string> Token();
  // The server refused the token: the file is looked at at the next call, and read again even if it has not changed,
  // unless that was done ten seconds ago or less.
  void Forget();

 private:
  bool MustRead(int64_t now);  // under the lock

  const std::string path_;
  const base::Clock& clock_;
  std::mutex mutex_;  // guards all below; held while reading, so that one request reads for all
  std::string token_;
  int64_t next_read_ns_ = 0;  // mono
  int64_t next_look_ns_ = 0;  // mono
  int64_t read_ns_ = 0;       // mono; when it was read last
  FileStamp stamp_;           // from before it was read last
};

// A value for http::ClientOptions::authorization.
std::function<base::Result<std::string>()> BearerFrom(std::shared_ptr<TokenFile> file);

// A header can carry it: not empty, no control characters.
bool IsHeaderToken(const std::string& token);

}  // namespace berth::kubeconfig
