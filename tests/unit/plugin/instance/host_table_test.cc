// The functions of berth_host.
#include <gtest/gtest.h>

#include "plugin/instance/host_table.h"
#include "ports.h"

namespace berth::plugin {
namespace {

struct HostTable : testing::Test, World {
  ~HostTable() override { instance.reset(); }
  HostContext context{&*services, instance.get()};
  const berth_host raw = MakeHost(&context);
};

TEST_F(HostTable, KeepsAnId) {
  const base::Id id = intern.ids.Intern("text");
  raw.keep(&raw, id);
  intern.ids.Drop(id);
  EXPECT_EQ(intern.ids.Find("text"), id);
  raw.drop(&raw, id);
}

// An id that the host has not given stays unused when a text gets it.
TEST_F(HostTable, KeepIgnoresAnUnknownId) {
  const base::Id next = intern.ids.Intern("last") + 1;
  raw.keep(&raw, next);
  raw.keep(&raw, UINT32_MAX);
  ASSERT_EQ(intern.ids.Intern("text"), next);
  raw.drop(&raw, next);
  raw.drop(&raw, UINT32_MAX);
  intern.ids.EndEpoch();
  intern.ids.EndEpoch();
  EXPECT_EQ(intern.ids.Text(next), "text");
}

}  // namespace
}  // namespace berth::plugin
