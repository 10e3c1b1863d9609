// The order of requests while there are always bindings to send: the writes of a binding cycle, of a preemption, and of
// a failed attempt share one queue and one rate. In virtual time; each step allows one request.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cluster/writer/binder.h"
#include "cluster/writer/plugin_requests.h"
#include "cluster/writer/status_patcher.h"
#include "eventually.h"
#include "fake_transport.h"

namespace berth::writer {
namespace {

constexpr int64_t kStep = base::kSecond / 50;  // qps 50

struct Turns : testing::Test {
  api::InternTables intern;
  http::FakeTransport server;
  base::VirtualClock clock{1'767'225'600 * base::kSecond};
  requests::RequestQueue queue{server, clock, {50, 1, 64}};
  Binder binder{queue};
  StatusPatcher statuses{queue, clock};
  PluginRequests plugins{queue};
  berth_op op{sizeof(berth_op), 0, [](berth_op*, berth_status, const berth_str*, uint32_t) {}};
  size_t sent = 0;

  Turns() { server.hold = true; }  // answers arrive on this thread, step by step
  void TearDown() override { queue.Stop(); }

  // Adds twice as many bindings as may be sent.
  void Step() {
    clock.Advance(kStep);
    for (int i = 0; i < 2; ++i) binder.Send(binder.Open("ns", "decided", "u", "n", &op));
    ASSERT_TRUE(Eventually([&] { return server.requests().size() > sent; }));
    ASSERT_EQ(server.requests().size(), ++sent);
    ASSERT_TRUE(server.Release());
  }
  void Send(
      const char* verb, const char* resource, const char* name, const char* subresource,
      std::function<void()> then = [] {}) {
    plugin::ApiRequest request{.verb = verb,
                               .version = "v1",
                               .resource = resource,
                               .ns = "ns",
                               .name = name,
                               .subresource = subresource,
                               .body = "{}"};
    plugins.Send(std::move(request), [then = std::move(then)](const plugin::ApiAnswer&) { then(); });
  }
  // The virtual time from now until the request with this line is sent; -1: not within `most`.
  int64_t LeavesWithin(const std::string& line, int64_t most) {
    const int64_t asked = clock.MonoNs();
    const auto left = [&] {
      const auto lines = server.Lines();
      return std::find(lines.begin(), lines.end(), line) != lines.end();
    };
    while (!left()) {
      if (clock.MonoNs() - asked >= most) return -1;
      Step();
    }
    return clock.MonoNs() - asked;
  }
  static int64_t Sends(int n) { return n * kStep; }
};

TEST_F(Turns, AVictimIsDeletedWithinASecondBehindAnyNumberOfBindings) {
  for (int i = 0; i < 200; ++i) Step();  // 200 bindings wait
  Send("PATCH", "pods", "victim", "status", [this] { Send("DELETE", "pods", "victim", ""); });
  const int64_t took = LeavesWithin("DELETE /api/v1/namespaces/ns/pods/victim", base::kSecond);
  EXPECT_GE(took, 0) << "not deleted within a second";
  EXPECT_LE(took, Sends(8)) << "its condition and its deletion leave within four sends each";
}

TEST_F(Turns, ThePatchesOfClaimsAndStatusesLeaveInTheirShare) {
  for (int i = 0; i < 50; ++i) Step();
  Send("PATCH", "persistentvolumeclaims", "claim", "");
  auto pod = api::DecodePod(intern, R"({"metadata":{"name":"failed","namespace":"ns","uid":"u2"}})");
  ASSERT_TRUE(pod.has_value());
  statuses.Patch(*pod, {std::nullopt, "n1"});
  const int64_t claim = LeavesWithin("PATCH /api/v1/namespaces/ns/persistentvolumeclaims/claim", base::kSecond);
  EXPECT_GE(claim, 0);
  EXPECT_LE(claim, Sends(4));
  const int64_t status = LeavesWithin("PATCH /api/v1/namespaces/ns/pods/failed/status", base::kSecond);
  EXPECT_GE(status, 0);
  EXPECT_LE(status, Sends(4));
}

TEST_F(Turns, BindingsKeepHalfOfTheRateWhenEverythingWaits) {
  for (int i = 0; i < 50; ++i) Step();
  for (int i = 0; i < 100; ++i) {
    Send("DELETE", "pods", "victim", "");
    Send("PATCH", "persistentvolumeclaims", "claim", "");
  }
  const size_t before = server.requests().size();
  for (int i = 0; i < 80; ++i) Step();
  const auto lines = server.Lines();
  EXPECT_EQ(std::count(lines.begin() + static_cast<ptrdiff_t>(before), lines.end(),
                       "POST /api/v1/namespaces/ns/pods/decided/binding"),
            40);
}

}  // namespace
}  // namespace berth::writer
