#include "cmd/berthctl/serve/page_server.h"

#include <chrono>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "client/http/listener.h"
#include "cmd/berthctl/serve/interruption.h"
#include "cmd/berthctl/serve/loopback.h"
#include "telemetry/metrics/registry.h"

namespace berth::ctl {
namespace {

constexpr const char* kDefaultAddress = "127.0.0.1:10261";
constexpr const char* kForeignHost = "the Host header must be localhost or an IP address";

std::string UrlOf(std::string_view address, uint16_t port) {
  const std::string host(address.substr(0, address.rfind(':')));
  const bool all = host.empty() || host == "0.0.0.0" || host == "[::]";
  return "http://" + (all ? "localhost" : host) + ":" + std::to_string(port) + "/explain";
}

// Requests that are under way may wait for `work`.
void Close(std::unique_ptr<http::Listener> listener, const std::function<void()>& work) {
  const auto closed = std::async(std::launch::async, [&] { listener.reset(); });
  while (work && closed.wait_for(std::chrono::seconds(0)) != std::future_status::ready) work();
}

}  // namespace

flags::Flag ServeFlag(std::string& at, const std::string& help) {
  flags::Flag flag{.name = "serve", .value = flags::Text(at), .help = help};
  flag.help +=
      ", on " + std::string(kDefaultAddress) + " or --serve=ADDRESS, until interrupted; there is no authentication";
  flag.value.type.clear();
  flag.value.takes = flags::Takes::kNothing;
  flag.value.set = [&at](const std::string& text) -> base::Result<void> {
    at = text == "true" ? kDefaultAddress : text == "false" ? "" : text;
    return {};
  };
  return flag;
}

int ServePage(const Served& served, std::ostream& err) {
  const metrics::Registry no_metrics;
  serve::Endpoints endpoints({}, no_metrics);
  served.add(endpoints);
  const bool loopback = IsLoopback(served.address);
  const auto answer = [&endpoints, loopback](const http::Incoming& request) {
    if (loopback && !IsFixedHost(request.Header("host"))) return serve::PlainError(403, kForeignHost);
    return endpoints.Get(request);
  };
  auto listener = http::Listener::Start(served.address, answer, {.methods = {"GET", "HEAD", "POST"}});
  if (!listener) {
    err << "berthctl: --serve: " << listener.error().message << "\n";
    return 1;
  }
  Interruption interruption;
  if (!loopback) err << "warning: whoever can reach " << served.address << " can read the decisions\n";
  err << "Serving " << UrlOf(served.address, (*listener)->port()) << " until interrupted" << std::endl;
  while (!interruption.WaitFor(served.work ? 0 : -1)) {
    if (served.work) served.work();
  }
  Close(std::move(*listener), served.work);
  return 0;
}

}  // namespace berth::ctl
