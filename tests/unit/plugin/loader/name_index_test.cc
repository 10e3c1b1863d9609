#include "plugin/loader/name_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::loader {
namespace {

using testing::ElementsAre;

// A library with a valid note and without findings.
Inspection Offers(const std::string& path, const std::vector<std::string>& plugins) {
  Inspection out;
  out.path = path;
  out.sha256 = std::string(64, 'a');
  Note note;
  note.abi_major = 1;
  for (const std::string& name : plugins) note.plugins.push_back({name, {"score"}, false, {}});
  out.note = note;
  return out;
}

std::string ErrorOf(const NameIndex& index, const std::string& name) {
  const auto found = index.Find(name);
  return found ? "found " + found->library : found.error().message;
}

TEST(NameIndex, FindsTheOneLibraryThatOffersAName) {
  Inventory inventory;
  inventory.libraries = {Offers("/p/one.so", {"A", "B"}), Offers("/p/two.so", {"C"})};
  const NameIndex index = NameIndex::Build(inventory);
  EXPECT_THAT(index.Names(), ElementsAre("A", "B", "C"));
  EXPECT_EQ(index.Find("B")->library, "/p/one.so");
  EXPECT_EQ(index.Find("B")->plugin, "B");
  EXPECT_TRUE(index.Knows("C"));
  EXPECT_FALSE(index.Knows("D"));
}

TEST(NameIndex, TwoOffersOfOneNameAreAnErrorThatNamesBoth) {
  Inventory inventory;
  inventory.libraries = {Offers("/p/one.so", {"A"}), Offers("/p/two.so", {"A"})};
  const NameIndex index = NameIndex::Build(inventory);
  EXPECT_TRUE(index.Knows("A"));
  EXPECT_EQ(ErrorOf(index, "A"),
            "plugin \"A\": BP-60: is offered by /p/one.so and by /p/two.so; bind the name to one of them in "
            "BerthConfiguration");
}

TEST(NameIndex, ABindingChooses) {
  Inventory inventory;
  inventory.libraries = {Offers("/p/one.so", {"A"}), Offers("/p/two.so", {"A", "Other"})};
  EXPECT_EQ(NameIndex::Build(inventory, {{.name = "A", .library = "two.so"}}).Find("A")->library, "/p/two.so");
  const auto renamed =
      NameIndex::Build(inventory, {{.name = "A", .library = "/p/two.so", .plugin = "Other"}}).Find("A");
  ASSERT_TRUE(renamed) << renamed.error().message;
  EXPECT_EQ(renamed->plugin, "Other");
}

TEST(NameIndex, AFileElsewhereOffersOnlyWhatIsBoundToIt) {
  Inventory inventory;
  inventory.libraries = {Offers("/p/one.so", {"A"})};
  inventory.bound = {Offers("/elsewhere/one.so", {"A", "B"})};
  const NameIndex index =
      NameIndex::Build(inventory, {{.name = "Mine", .library = "/elsewhere/one.so", .plugin = "A"}});
  EXPECT_EQ(index.Find("Mine")->library, "/elsewhere/one.so");
  EXPECT_EQ(index.Find("A")->library, "/p/one.so");
  EXPECT_FALSE(index.Find("B"));
  EXPECT_EQ(inventory.FindLibrary("one.so")->path, "/p/one.so");
}

TEST(NameIndex, ABindingWithoutALibraryIsAnError) {
  Inventory inventory;
  inventory.libraries = {Offers("/p/one.so", {"A"})};
  for (const Binding& binding :
       {Binding{.name = "A", .library = "three.so"}, Binding{.name = "A", .library = "one.so", .plugin = "Z"}}) {
    const std::string error = ErrorOf(NameIndex::Build(inventory, {binding}), "A");
    EXPECT_THAT(error, testing::HasSubstr("BP-61"));
    EXPECT_THAT(error, testing::HasSubstr(binding.plugin.empty() ? "three.so" : "Z"));
  }
  const Binding other_digest{.name = "A", .library = "one.so", .sha256 = std::string(64, 'b')};
  EXPECT_THAT(ErrorOf(NameIndex::Build(inventory, {other_digest}), "A"), testing::HasSubstr("BP-4"));
}

}  // namespace
}  // namespace berth::loader
