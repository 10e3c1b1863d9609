#include "cluster/access/token_review.h"

#include <string>

#include "telemetry/log/log.h"

namespace berth::access {
namespace {

constexpr const char* kTokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";

json::Value TokenReviewOf(const base::Secret& token) {
  return json::Value::MakeObject({{"kind", "TokenReview"},
                                  {"apiVersion", "authentication.k8s.io/v1"},
                                  {"metadata", json::Value::MakeObject()},
                                  {"spec", json::Value::MakeObject({{"token", token.Reveal()}})}});
}

// A proxy between Berth and the server may quote the request.
std::string Without(std::string text, const base::Secret& token) {
  if (token.empty()) return text;
  for (size_t at = 0; (at = text.find(token.Reveal(), at)) != std::string::npos;) {
    text.replace(at, token.Reveal().size(), base::kRedacted);
    at += std::char_traits<char>::length(base::kRedacted);
  }
  return text;
}

std::vector<std::string> TextsOf(const json::Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  for (const json::Value& one : list->array()) texts.push_back(one.string());
  return texts;
}

User UserOf(const json::Value& user) {
  User out{json::TextAt(user, "username"), json::TextAt(user, "uid"), TextsOf(user.Find("groups")), {}};
  if (const json::Value* extra = user.Find("extra")) {
    for (const auto& [key, values] : extra->object()) out.extra[key] = TextsOf(&values);
  }
  return out;
}

}  // namespace

AuthenticationResult TokenReviewer::Review(const base::Secret& token) const {
  const base::Result<json::Value> review = call_.Create(kTokenReviews, TokenReviewOf(token));
  if (!review) {
    std::string why = Without(review.error().message, token);
    log::Error("Failed to make webhook authenticator request: " + why);
    return AuthenticationResult::Failed(std::move(why));
  }
  const json::Value* authenticated = review->FindPath("status.authenticated");
  if (authenticated == nullptr || !authenticated->boolean()) {
    return AuthenticationResult::Failed(Without(json::TextAt(*review, "status.error"), token));
  }
  const json::Value* user = review->FindPath("status.user");
  return AuthenticationResult::Of(user == nullptr ? User{} : UserOf(*user));
}

}  // namespace berth::access
