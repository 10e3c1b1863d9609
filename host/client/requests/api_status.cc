#include "client/requests/api_status.h"

#include "api/protobuf/envelope.h"
#include "codec/json/value.h"

namespace berth::requests {
namespace {

ApiStatus StatusOfMessage(std::string_view message) {
  const protobuf::StatusFields fields = protobuf::StatusOf(message);
  ApiStatus status{fields.code, std::string(fields.reason), std::string(fields.message)};
  if (fields.retry_after_seconds > 0) status.retry_after_seconds = fields.retry_after_seconds;
  return status;
}

// A body without an envelope is JSON, or a text of a proxy.
ApiStatus StatusOfBody(std::string_view body) {
  if (!protobuf::IsEnvelope(body)) return StatusOf(body);
  const auto envelope = protobuf::OpenEnvelope(body);
  return envelope && envelope->kind == "Status" ? StatusOfMessage(envelope->message) : ApiStatus();
}

}  // namespace

ApiStatus StatusOf(Encoded status) {
  return status.encoding == Encoding::kJson ? StatusOf(status.text) : StatusOfMessage(status.text);
}

ApiStatus StatusOf(std::string_view status_json) {
  ApiStatus status;
  const auto parsed = json::Parse(status_json);
  if (!parsed || json::TextAt(*parsed, "kind") != "Status") return status;
  status.reason = json::TextAt(*parsed, "reason");
  status.message = json::TextAt(*parsed, "message");
  if (const json::Value* code = parsed->Find("code")) status.code = static_cast<int>(code->integer());
  const json::Value* seconds = parsed->FindPath("details.retryAfterSeconds");
  if (seconds != nullptr && seconds->integer() > 0) status.retry_after_seconds = seconds->integer();
  return status;
}

bool OutcomeUnknown(const http::Reply& reply) {
  if (reply.status == 0) return reply.maybe_delivered;
  return reply.status == 500 || reply.status == 502 || reply.status == 504;
}

ApiStatus StatusOf(const http::Reply& reply, const std::string& what) {
  if (reply.status == 0) return {0, "", reply.error};
  ApiStatus status = StatusOfBody(reply.body);
  status.code = reply.status;
  if (reply.retry_after_seconds && (reply.status == 429 || reply.status >= 500)) {
    status.retry_after_seconds = reply.retry_after_seconds;
  }
  if (!status.message.empty()) return status;
  constexpr size_t kShown = 200;  // enough of a proxy's HTML page
  status.message = "the server answered \"" + what + "\" with status " + std::to_string(reply.status);
  if (!reply.body.empty() && !protobuf::IsEnvelope(reply.body)) status.message += ": " + reply.body.substr(0, kShown);
  return status;
}

}  // namespace berth::requests
