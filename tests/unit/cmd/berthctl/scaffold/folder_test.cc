// The folder of a new plugin, made from templates of this test and from those of the SDK.
#include "cmd/berthctl/scaffold/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace berth::scaffold {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}
void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class FolderTest : public ::testing::Test {
 protected:
  FolderTest() {
    std::string pattern = fs::temp_directory_path() / "scaffold.XXXXXX";
    top_ = mkdtemp(pattern.data());
    fs::create_directory(top_ / "new");
  }
  ~FolderTest() override { fs::remove_all(top_); }

  base::Result<fs::path> Make(const std::string& name, Language language, const fs::path& templates) {
    return MakeFolder(templates, top_ / "new", *NamesOf(name, language), language);
  }

  const fs::path sdk_ = fs::path(BERTH_TEST_SOURCE_DIR) / "sdk" / "template";
  fs::path top_;
};

TEST_F(FolderTest, TemplatesLieBesideTheProgram) {
  EXPECT_EQ(TemplatesOf("/opt/berth/bin/berthctl"), "/opt/berth/share/berth/template");
}

TEST_F(FolderTest, NamesTakeTheTemplatesPlace) {
  const Names names = *NamesOf("spare-room", Language::kCpp);
  EXPECT_EQ(Filled("class TemplatePlugin; // templatePlugin, template_plugin.so", names, Language::kCpp, ""),
            "class SpareRoom; // spare-room, spare_room.so");
  EXPECT_EQ(Filled("templatePluginC in template_plugin_c.so", names, Language::kC, ""), "spare-room in spare_room.so");
  EXPECT_EQ(Filled("path = \"@berth-plugin@\"", names, Language::kRust, "/a\"b"), "path = \"/a\\\"b\"");
}

TEST_F(FolderTest, FoldersAreCopiedWhole) {
  Write(top_ / "sdk/template/cpp/.hidden", "template_plugin");
  Write(top_ / "sdk/template/cpp/src/deep/file", "TemplatePlugin TemplatePlugin");
  Write(top_ / "sdk/template/cpp/build/product", "");
  const auto made = Make("spareRoom", Language::kCpp, top_ / "sdk/template");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(*made, top_ / "new/spare_room");
  EXPECT_EQ(TextOf(*made / ".hidden"), "spare_room");
  EXPECT_EQ(TextOf(*made / "src/deep/file"), "SpareRoom SpareRoom");
  EXPECT_FALSE(fs::exists(*made / "build"));
}

TEST_F(FolderTest, TheSdksTemplatesLeaveNoNameOfTheirOwn) {
  for (const Language language : {Language::kC, Language::kCpp, Language::kRust}) {
    const auto made = Make("spareRoom-" + std::string(WordOf(language)), language, sdk_);
    ASSERT_TRUE(made) << made.error().message;
    for (const char* file : {"README.md", "args.yaml"}) EXPECT_TRUE(fs::exists(*made / file)) << file;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(*made)) {
      if (!entry.is_regular_file()) continue;
      for (const char* own : {"emplatePlugin", "emplate_plugin", "@berth-plugin@"}) {
        EXPECT_THAT(TextOf(entry.path()), Not(HasSubstr(own))) << entry.path();
      }
    }
  }
  EXPECT_THAT(TextOf(top_ / "new/spare_room_rust/Cargo.toml"),
              HasSubstr("\"" + fs::canonical(fs::path(BERTH_TEST_SOURCE_DIR) / "sdk" / "rust").string() + "\""));
}

TEST_F(FolderTest, WhatCannotBeIsRefused) {
  const auto refusal = [&](const fs::path& templates, const fs::path& into, Language language) {
    const auto made = MakeFolder(templates, into, *NamesOf("spareRoom", language), language);
    return made ? std::string() : made.error().message;
  };
  const fs::path into = top_ / "new";
  EXPECT_THAT(refusal(top_, into, Language::kCpp), HasSubstr("there is no template"));
  EXPECT_THAT(refusal(sdk_, top_ / "nowhere", Language::kCpp), HasSubstr("there is no folder"));
  Write(top_ / "alone/template/rust/Cargo.toml", "");
  EXPECT_THAT(refusal(top_ / "alone/template", into, Language::kRust), Not(HasSubstr("is no template")));
  EXPECT_THAT(refusal(top_ / "alone/template", into, Language::kRust), HasSubstr("there is no crate in"));
  EXPECT_EQ(refusal(sdk_, into, Language::kCpp), "");
  EXPECT_THAT(refusal(sdk_, into, Language::kC), HasSubstr("exists already"));
}

}  // namespace
}  // namespace berth::scaffold
