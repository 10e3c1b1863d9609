#include "cluster/outbound/outbound_requests.h"

#include <algorithm>
#include <utility>

#include "client/http/rest_client.h"

namespace berth::outbound {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;
constexpr char kEnding[] = "the scheduler is ending";
constexpr char kNoThread[] = "the system gives the scheduler no thread for the request";

// "http://host:80/path?query" -> "http://host:80" and "/path?query".
std::pair<std::string, std::string> Split(const std::string& url) {
  const size_t scheme = url.find("://");
  const size_t path = url.find_first_of("/?", scheme == std::string::npos ? 0 : scheme + 3);
  if (path == std::string::npos) return {url, "/"};
  return {url.substr(0, path), (url[path] == '?' ? "/" : "") + url.substr(path)};
}

http::ClientOptions OptionsOf(const plugin::HttpRequest& request, std::string server) {
  http::ClientOptions options;
  options.url = std::move(server);
  options.tls.insecure = request.insecure;
  options.timeout = std::max(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(request.timeout_ns)),
                             std::chrono::milliseconds(1));
  options.max_body_bytes = kMostBytes;
  if (!request.authorization.empty()) {
    options.authorization = [header = request.authorization]() -> base::Result<std::string> { return header; };
  }
  return options;
}

plugin::ApiAnswer Lost(std::string why) { return {.message = std::move(why)}; }

}  // namespace

OutboundRequests::~OutboundRequests() { Close(); }

void OutboundRequests::Get(plugin::HttpRequest request, plugin::ApiPort::Done done) {
  if (!Begin()) return done(Lost(kEnding));
  const auto posted = threads_.Post([this, request = std::move(request), done] {
    done(Exchange(request));
    End();
  });
  if (posted == base::TaskThreads::Posted::kQueued) return;
  done(Lost(kNoThread));
  End();
}

void OutboundRequests::Close() {
  {
    base::MutexLock lock(mutex_);
    closed_ = true;
    for (http::Transport* transport : open_) transport->Close();
    quiet_.wait(lock, [this]() REQUIRES(mutex_) { return begun_ == 0; });
  }
  threads_.Stop();
}

bool OutboundRequests::Begin() {
  const base::MutexLock lock(mutex_);
  if (!closed_) ++begun_;
  return !closed_;
}

void OutboundRequests::End() {
  const base::MutexLock lock(mutex_);
  if (--begun_ == 0) quiet_.notify_all();
}

plugin::ApiAnswer OutboundRequests::Exchange(const plugin::HttpRequest& request) {
  auto [server, path] = Split(request.url);
  const auto transport = http::MakeRestClient(OptionsOf(request, std::move(server)));
  if (!transport) return Lost(transport.error().message);
  http::Reply reply = Await(**transport, std::move(path));
  if (reply.status == 0) return Lost(std::move(reply.error));
  return {.code = reply.status, .body = std::move(reply.body)};
}

http::Reply OutboundRequests::Await(http::Transport& transport, std::string path) {
  if (!Enter(transport)) return {.error = kEnding};
  http::Reply reply = transport.SendAndWait({.path = std::move(path)});
  Leave(transport);
  return reply;
}

bool OutboundRequests::Enter(http::Transport& transport) {
  const base::MutexLock lock(mutex_);
  if (!closed_) open_.insert(&transport);
  return !closed_;
}

void OutboundRequests::Leave(http::Transport& transport) {
  const base::MutexLock lock(mutex_);
  open_.erase(&transport);
}

}  // namespace berth::outbound
