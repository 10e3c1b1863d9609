#include "controllers/rules/pod_group.h"

#include "base/text.h"
#include "codec/json/value.h"

namespace berth::rules {
namespace {

int64_t NumberAt(const json::Value& object, const char* path) {
  const json::Value* found = object.FindPath(path);
  return found == nullptr ? 0 : found->integer();
}

}  // namespace

base::Result<PodGroup> ReadPodGroup(std::string_view json) {
  const auto object = json::Parse(json);
  if (!object) return tl::unexpected(object.error());
  const auto fail = [&](const base::Error& error) {
    return base::Fail("podgroup " + base::Quoted(json::TextAt(*object, "metadata.name")) + ": " + error.message);
  };
  auto meta = MetaOf(*object);
  if (!meta) return fail(meta.error());
  const auto start = TimeAt(*object, "status.scheduleStartTime");
  if (!start) return fail(start.error());
  PodGroup group{std::move(*meta), NumberAt(*object, "spec.minMember"), {}, *start};
  group.status = {json::TextAt(*object, "status.phase"), json::TextAt(*object, "status.occupiedBy"),
                  NumberAt(*object, "status.running"), NumberAt(*object, "status.succeeded"),
                  NumberAt(*object, "status.failed")};
  return group;
}

}  // namespace berth::rules
