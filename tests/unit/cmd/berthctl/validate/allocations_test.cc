// Images and their imports. The test uses the imports of this program, which work like those of a plugin. zoo_test.cc
// tests the effect on a plugin's allocations.
#include "cmd/berthctl/validate/allocations.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cmd/berthctl/validate/image.h"

namespace berth::validate {
namespace {

int SomeoneElse() { return 7; }

TEST(Image, IsFoundByAddressAndByName) {
  const auto here = Image::At(reinterpret_cast<const void*>(&SomeoneElse));
  ASSERT_TRUE(here);
  EXPECT_TRUE(here->Holds(reinterpret_cast<const void*>(&SomeoneElse)));
  int on_the_stack = 0;
  EXPECT_FALSE(here->Holds(&on_the_stack));
  EXPECT_FALSE(Image::At(&on_the_stack));
  const auto runtime = Image::Named("libstdc++.so");
  ASSERT_TRUE(runtime);
  EXPECT_FALSE(runtime->Holds(reinterpret_cast<const void*>(&SomeoneElse)));
  EXPECT_FALSE(Image::Named("no-such-library.so"));
}

TEST(Image, CallsWhatItsImportsAreRedirectedTo) {
  const auto here = Image::At(reinterpret_cast<const void*>(&SomeoneElse));
  ASSERT_TRUE(here);
  EXPECT_EQ(here->Redirect("no_such_import", reinterpret_cast<void*>(&SomeoneElse)), 0);
  const int before = std::rand();
  ASSERT_GT(here->Redirect("rand", reinterpret_cast<void*>(&SomeoneElse)), 0);
  EXPECT_EQ(std::rand(), 7) << before;
  EXPECT_EQ(std::rand(), 7);
}

TEST(Hunger, CountsNothingOfTheHost) {
  const Hunger hunger(1);
  std::free(std::malloc(16));
  EXPECT_EQ(hunger.made(), 0u);
}

}  // namespace
}  // namespace berth::validate
