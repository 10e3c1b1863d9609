// A client with short timeouts, and short functions for requests. Thread: the test's.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "client/http/rest_client.h"

namespace berth::http {

inline std::unique_ptr<Transport> Client(const std::string& url,
                                         const std::function<void(ClientOptions&)>& change = nullptr) {
  ClientOptions options{.url = url};
  options.timeout = std::chrono::seconds(60);  // no test waits this long, even on a busy machine
  if (change) change(options);
  auto client = MakeRestClient(std::move(options));
  if (!client) ADD_FAILURE() << client.error().message;
  return std::move(*client);
}

inline Reply Get(Transport& client, const std::string& path = "/x") { return client.SendAndWait({.path = path}); }
inline Reply Post(Transport& client, const std::string& body) {
  return client.SendAndWait({.method = "POST", .path = "/x", .body = body, .content_type = "application/json"});
}

}  // namespace berth::http
