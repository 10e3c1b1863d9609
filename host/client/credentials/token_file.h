// A bearer token in a file that another process renews (kubelet, for service accounts). Source: client-go's
// NewCachedFileTokenSource: a token is used for 50 s, and longer while the file cannot be read. Berth also reads the
// file again when it has changed. Thread: called for each request, on transport threads; checks the file once a second
// and may read it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/thread_annotations.h"
#include "client/credentials/file_stamp.h"

namespace berth::credentials {

inline constexpr int64_t kTokenFresh = 50 * base::kSecond;  // a minute less ten seconds of leeway
inline constexpr int64_t kTokenLook = base::kSecond;        // between checks whether the file has changed
// After a failure while an older token exists. client-go tries, and logs, with each request.
inline constexpr int64_t kTokenRetry = 10 * base::kSecond;

class TokenFile {
 public:
  // fallback: the token until the file has been read; may be empty. The clock outlives this object.
  TokenFile(std::string path, std::string fallback, const base::Clock& clock);

  // Fails only without any token: no fallback, and the file could not be read yet.
  base::Result<std::string> Token();
  // The server rejected the token: the next call checks the file, and reads it even if it has not changed, unless the
  // last read was at most ten seconds ago.
  void Forget();

 private:
  bool MustRead(int64_t now) REQUIRES(mutex_);

  const std::string path_;
  const base::Clock& clock_;
  base::Mutex mutex_;  // held while reading, so that one request reads for all
  std::string token_ GUARDED_BY(mutex_);
  int64_t next_read_ns_ GUARDED_BY(mutex_) = 0;  // mono
  int64_t next_look_ns_ GUARDED_BY(mutex_) = 0;  // mono
  int64_t read_ns_ GUARDED_BY(mutex_) = 0;       // mono; when it was read last
  FileStamp stamp_ GUARDED_BY(mutex_);           // from before it was read last
};

// A value for http::ClientOptions::authorization.
std::function<base::Result<std::string>()> BearerFrom(std::shared_ptr<TokenFile> file);

// Whether a header can contain the token: not empty, no control characters.
bool IsHeaderToken(const std::string& token);

}  // namespace berth::credentials
