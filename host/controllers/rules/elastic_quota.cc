#include "controllers/rules/elastic_quota.h"

#include "base/text.h"
#include "codec/json/value.h"

namespace berth::rules {

base::Result<ElasticQuota> ReadElasticQuota(std::string_view json) {
  const auto object = json::Parse(json);
  if (!object) return tl::unexpected(object.error());
  const auto fail = [&](const base::Error& error) {
    return base::Fail("elasticquota " + base::Quoted(json::TextAt(*object, "metadata.name")) + ": " + error.message);
  };
  auto meta = MetaOf(*object);
  if (!meta) return fail(meta.error());
  ElasticQuota quota;
  quota.meta = std::move(*meta);
  for (const auto& [path, to] :
       {std::pair{"spec.min", &quota.min}, {"spec.max", &quota.max}, {"status.used", &quota.used}}) {
    auto amounts = AmountsAt(*object, path);
    if (!amounts) return fail(amounts.error());
    *to = std::move(*amounts);
  }
  return quota;
}

Amounts NothingUsed(const ElasticQuota& quota) {
  Amounts zero;
  for (const Amounts* list : {&quota.min, &quota.max}) {
    for (const auto& [name, amount] : *list) zero.try_emplace(name);
  }
  return zero;
}

}  // namespace berth::rules
