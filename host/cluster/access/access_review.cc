#include "cluster/access/access_review.h"

#include <utility>

#include "cluster/access/digest_key.h"
#include "telemetry/log/log.h"

namespace berth::access {
namespace {

constexpr const char* kAccessReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
constexpr size_t kMaxControlledAttrCacheSize = 10000;  // bytes that the client chooses

json::Value ListOf(const std::vector<std::string>& texts) {
  json::Array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

// Absent fields are left out, in the order of Go's SubjectAccessReviewSpec.
json::Value SpecOf(const Attributes& attributes) {
  const User& user = attributes.user;
  json::Value what = json::Value::MakeObject();
  if (!attributes.path.empty()) what.Set("path", attributes.path);
  if (!attributes.verb.empty()) what.Set("verb", attributes.verb);
  json::Value spec = json::Value::MakeObject({{"nonResourceAttributes", std::move(what)}});
  if (!user.name.empty()) spec.Set("user", user.name);
  if (!user.groups.empty()) spec.Set("groups", ListOf(user.groups));
  if (!user.extra.empty()) {
    json::Value& extra = spec.Set("extra", json::Value::MakeObject());
    for (const auto& [key, values] : user.extra) extra.Set(key, ListOf(values));
  }
  if (!user.uid.empty()) spec.Set("uid", user.uid);
  return spec;
}

json::Value AccessReviewOf(json::Value spec) {
  return json::Value::MakeObject({{"kind", "SubjectAccessReview"},
                                  {"apiVersion", "authorization.k8s.io/v1"},
                                  {"metadata", json::Value::MakeObject()},
                                  {"spec", std::move(spec)}});
}

bool IsTrue(const json::Value& object, std::string_view path) {
  const json::Value* found = object.FindPath(path);
  return found != nullptr && found->boolean();
}

}  // namespace

AccessReviewer::AccessReviewer(ReviewCall& call, Ttl ttl, const base::Clock& clock, size_t limit)
    : call_(call), ttl_(ttl), cache_(clock, limit) {}

std::optional<Ruling> AccessReviewer::Cached(const Attributes& attributes, int64_t good_for_ns) {
  const auto kept = cache_.Get(DigestKey(json::Dump(SpecOf(attributes))), good_for_ns);
  if (kept == nullptr) return std::nullopt;
  return RulingOf(*kept);
}

Ruling AccessReviewer::Authorize(const Attributes& attributes) {
  json::Value spec = SpecOf(attributes);
  const std::string key = DigestKey(json::Dump(spec));
  if (const auto kept = cache_.Get(key)) return RulingOf(*kept);
  const base::Result<json::Value> review = call_.Create(kAccessReviews, AccessReviewOf(std::move(spec)));
  if (!review) {
    log::Error("Failed to make webhook authorizer request: " + review.error().message);
    return {.error = review.error().message};
  }
  const Status status{IsTrue(*review, "status.allowed"), IsTrue(*review, "status.denied"),
                      json::TextAt(*review, "status.reason")};
  if (attributes.path.size() + attributes.verb.size() < kMaxControlledAttrCacheSize) {
    cache_.Put(key, std::make_shared<const Status>(status), (status.allowed ? ttl_.allowed : ttl_.denied).count());
  }
  return RulingOf(status);
}

Ruling AccessReviewer::RulingOf(const Status& status) {
  if (status.denied && status.allowed) {
    return {Decision::kDeny, status.reason, "webhook subject access review returned both allow and deny response"};
  }
  if (status.denied) return {Decision::kDeny, status.reason};
  return {status.allowed ? Decision::kAllow : Decision::kNoOpinion, status.reason};
}

}  // namespace berth::access
