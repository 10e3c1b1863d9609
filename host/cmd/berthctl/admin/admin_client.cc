#include "cmd/berthctl/admin/admin_client.h"

#include <utility>

namespace berth::ctl {

std::string AdminUrl(const std::string& address) {
  return address.find("://") == std::string::npos ? "http://" + address : address;
}

base::Result<std::unique_ptr<http::RestClient>> AdminClient(const std::string& url, std::chrono::seconds timeout) {
  http::ClientOptions options;
  options.url = url;
  options.timeout = timeout;
  return http::MakeRestClient(std::move(options));
}

}  // namespace berth::ctl
