// The connection to the --admin-address of a running scheduler. Thread: main.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "client/http/rest_client.h"

namespace berth::ctl {

// The URL of "127.0.0.1:10261"; a URL stays as it is.
std::string AdminUrl(const std::string& address);
// timeout: of one request. Error: the URL cannot work.
base::Result<std::unique_ptr<http::RestClient>> AdminClient(const std::string& url, std::chrono::seconds timeout);

}  // namespace berth::ctl
