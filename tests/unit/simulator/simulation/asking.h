// A simulation, and requests through the ABI as a plugin sends them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "berth/api.hpp"
#include "codec/json/value.h"
#include "scheduler/objects/store.h"
#include "test_scheduler.h"

namespace berth::fixture {

struct Told {
  int32_t code = -1;
  std::string body, reason, message;
};

class Asking : public testing::Test {
 protected:
  // Sends the request and runs the simulation until it is quiet.
  Told Ask(const sdk::ApiRequest& request) {
    std::optional<Told> told;
    sdk::Api(HostOf("A")).Send(request, [&told](const sdk::ApiReply& r) {
      told = Told{.code = r.code,
                  .body = std::string(r.body),
                  .reason = std::string(r.reason),
                  .message = std::string(r.message)};
    });
    EXPECT_FALSE(told) << "answered before send returned";
    rig.Run();
    return told.value_or(Told());
  }
  Told Patch(std::string_view resource, std::string_view ns, std::string_view name, std::string_view body,
             std::string_view subresource = "") {
    return Ask({.verb = "PATCH",
                .resource = resource,
                .ns = ns,
                .name = name,
                .subresource = subresource,
                .content_type = sdk::kStrategicMergePatch,
                .body = body});
  }
  Told PatchStatus(std::string_view pod, std::string_view body) {
    return Patch("pods", "default", pod, body, "status");
  }

  TestScheduler rig;
};

}  // namespace berth::fixture
