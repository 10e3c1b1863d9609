// The berth_host that a plugin gets when the host has a decorator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/host.h"
#include "ports.h"

namespace berth::plugin {
namespace {

// A copy with minor version 77; counts the copies that instances still hold.
class Renumbering final : public HostDecorator {
 public:
  std::shared_ptr<const berth_host> Decorate(const Instance& instance, const berth_host& host) override {
    decorated.push_back(instance.name());
    auto copy = std::make_shared<berth_host>(host);
    copy->abi_minor = 77;
    last = copy;
    return copy;
  }
  std::vector<std::string> decorated;
  std::weak_ptr<const berth_host> last;
};

class Declining final : public HostDecorator {
 public:
  std::shared_ptr<const berth_host> Decorate(const Instance&, const berth_host&) override { return nullptr; }
};

TEST(HostDecorator, GivesTheInstanceItsHostUntilItsEnd) {
  Renumbering decorator;
  World world;
  world.RestartWith({.decorator = &decorator});
  EXPECT_THAT(decorator.decorated, testing::ElementsAre("A"));
  EXPECT_EQ(world.instance->host(), decorator.last.lock().get());
  EXPECT_EQ(world.host().raw()->abi_minor, 77u);
  world.instance.reset();
  EXPECT_TRUE(decorator.last.expired());
}

// because() finds the running call by the berth_host that the plugin has.
TEST(HostDecorator, KeepsReasonsWithTheirCall) {
  Renumbering decorator;
  World world;
  world.RestartWith({.decorator = &decorator});
  const Status status = world.instance->Call("Filter", [&] {
    const berth_host* host = world.instance->host();
    const berth_str text{"no room", 7};
    host->because(host, nullptr, &text, 1);
    return BERTH_UNSCHEDULABLE;
  });
  EXPECT_THAT(status.reasons, testing::ElementsAre("no room"));
}

TEST(HostDecorator, MayLeaveTheHostAsItIs) {
  Declining decorator;
  World world;
  world.RestartWith({.decorator = &decorator});
  EXPECT_EQ(world.host().raw()->abi_minor, BERTH_ABI_MINOR);
}

}  // namespace
}  // namespace berth::plugin
