#include "client/credentials/token_file.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "client/credentials/files.h"
#include "client/credentials/redact.h"
#include "codec/text/trim.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

base::Result<std::string> ReadToken(const std::string& path) {
  const base::Result<std::string> text = ReadSmallFile(path);
  if (!text)
    return base::Fail("failed to read token file " + base::Quoted(ShownPath(path)) + ": " + text.error().message);
  std::string token(text::Trim(*text, text::kSpace));
  if (token.empty()) return base::Fail("read empty token from file " + base::Quoted(ShownPath(path)));
  if (!IsHeaderToken(token)) {
    return base::Fail("token file " + base::Quoted(ShownPath(path)) + " holds characters that no token has");
  }
  return token;
}

}  // namespace

bool IsHeaderToken(const std::string& token) {
  return !token.empty() && std::none_of(token.begin(), token.end(), base::IsControl);
}

TokenFile::TokenFile(std::string path, std::string fallback, const base::Clock& clock)
    : path_(std::move(path)), clock_(clock), token_(std::move(fallback)), next_read_ns_(clock.MonoNs()) {}

base::Result<std::string> TokenFile::Token() {
  base::MutexLock lock(mutex_);
  const int64_t now = clock_.MonoNs();
  if (!MustRead(now)) return token_;
  base::Result<std::string> read = ReadToken(path_);
  read_ns_ = now;
  if (!read && token_.empty()) return read;
  if (!read) {
    log::Error("Unable to rotate token", {{"err", read.error().message}});
    next_read_ns_ = now + kTokenRetry;
    return token_;
  }
  token_ = std::move(*read);
  next_read_ns_ = now + kTokenFresh;
  return token_;
}

bool TokenFile::MustRead(int64_t now) {
  if (now < next_look_ns_ && now < next_read_ns_) return false;
  next_look_ns_ = now + kTokenLook;
  const FileStamp stamp = StampOf(path_);
  const bool same = stamp.SameFile(stamp_) && stamp_.settled;
  if (same && now < next_read_ns_) return false;
  stamp_ = stamp;
  return true;
}

void TokenFile::Forget() {
  base::MutexLock lock(mutex_);
  next_look_ns_ = 0;
  if (clock_.MonoNs() - read_ns_ > kTokenRetry) next_read_ns_ = 0;
}

std::function<base::Result<std::string>()> BearerFrom(std::shared_ptr<TokenFile> file) {
  return [file = std::move(file)]() -> base::Result<std::string> {
    base::Result<std::string> token = file->Token();
    if (!token) return token;
    return "Bearer " + *token;
  };
}

}  // namespace berth::credentials
