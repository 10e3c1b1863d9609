#include "cmd/berthctl/admin/admin_connection.h"

#include <utility>

#include "codec/text/harmless.h"

namespace berth::ctl {
namespace {

// The message of a Status, or the first line of another body.
std::string Reason(const std::string& body) {
  const auto status = json::Parse(body);
  const std::string message = status && status->is_object() ? json::TextAt(*status, "message") : "";
  return message.empty() ? body.substr(0, body.find('\n')) : message;
}

std::string WithoutQuery(const std::string& path) { return path.substr(0, path.find('?')); }

}  // namespace

base::Result<AdminConnection> ConnectTo(const std::string& address, std::chrono::seconds timeout) {
  http::ClientOptions options;
  options.url = address.find("://") == std::string::npos ? "http://" + address : address;
  options.timeout = timeout;
  std::string name = options.url;
  auto client = http::MakeRestClient(std::move(options));
  if (!client) return tl::unexpected(client.error());
  return AdminConnection{.way = nullptr, .client = std::move(*client), .name = std::move(name)};
}

base::Result<AdminAnswer> Ask(const AdminConnection& connection, const std::string& path) {
  http::Request request;
  request.path = path;
  return Ask(connection, request);
}

base::Result<AdminAnswer> Ask(const AdminConnection& connection, const http::Request& request) {
  http::Reply reply = connection.client->SendAndWait(request);
  const std::string advice = !reply.ok() && connection.advice ? connection.advice(reply) : "";
  if (reply.status == 0) return base::Fail(text::HarmlessLines(reply.error + advice));
  const std::string asked = connection.name + WithoutQuery(request.path) + " answered " + std::to_string(reply.status);
  if (!reply.ok()) return base::Fail(asked + ": " + text::Harmless(Reason(reply.body)) + text::HarmlessLines(advice));
  auto value = json::Parse(reply.body);
  if (!value) return base::Fail(asked + " without JSON: " + text::Harmless(value.error().message));
  return AdminAnswer{*std::move(value), std::move(reply.body)};
}

}  // namespace berth::ctl
