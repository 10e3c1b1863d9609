// A running scheduler that answers on its pages below /admin: at its --admin-address, or wherever another folder has
// connected to. Thread: main. Ownership: the connection owns its client and what the client needs.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "client/http/rest_client.h"
#include "codec/json/value.h"

namespace berth::ctl {

struct AdminConnection {
  std::shared_ptr<void> way;  // destroyed after the client; null: the client needs nothing
  std::unique_ptr<http::RestClient> client;
  std::string name;  // before a path in error messages: "http://127.0.0.1:10261", "pod kube-system/berth-0: "
  // What the user can do about a reply that is not 2xx; appended to the error message. Unset: nothing.
  std::function<std::string(const http::Reply&)> advice{};
};

// address: "127.0.0.1:10261" or a URL. timeout: of one request. Error: the URL cannot work.
base::Result<AdminConnection> ConnectTo(const std::string& address, std::chrono::seconds timeout);

// The object at the path, with its text. Error: no answer, an answer that is not 2xx, or no JSON.
struct AdminAnswer {
  json::Value value;
  std::string text;
};
base::Result<AdminAnswer> Ask(const AdminConnection& connection, const std::string& path);
// The same for a request of another method.
base::Result<AdminAnswer> Ask(const AdminConnection& connection, const http::Request& request);

}  // namespace berth::ctl
