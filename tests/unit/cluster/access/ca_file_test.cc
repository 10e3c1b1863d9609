// A CA file that is replaced, broken, and repaired.
#include "cluster/access/ca_file.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "access_rig.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct CaFileTest : testing::Test {
  CaFileTest() {
    std::string name = std::filesystem::temp_directory_path() / "berth-ca-XXXXXX";
    folder = mkdtemp(name.data());
    path = folder / "ca.pem";
  }
  ~CaFileTest() override { std::filesystem::remove_all(folder); }
  void Write(const std::string& text) const {
    std::ofstream(folder / "new") << text;
    std::filesystem::rename(folder / "new", path);
  }
  bool Accepts(const std::string& certificate) const {
    const auto verify = bundle.verifier();
    return verify != nullptr && (*verify)({certificate}).has_value();
  }

  std::filesystem::path folder, path;
  log::Capture logged;
  CaBundle bundle{"client-ca-bundle::ca.pem", MakeFakeVerifier};
};

TEST_F(CaFileTest, FollowsTheFile) {
  Write("CA a");
  CaFile file(path, bundle);
  ASSERT_TRUE(file.Load());
  EXPECT_TRUE(Accepts("a/alice"));
  Write("CA b");
  file.Look();
  EXPECT_FALSE(Accepts("a/alice"));
  EXPECT_TRUE(Accepts("b/alice"));
}

TEST_F(CaFileTest, AnUnusableFileLeavesTheBundleAndIsLoggedOnce) {
  Write("CA a");
  CaFile file(path, bundle);
  ASSERT_TRUE(file.Load());
  for (const char* text : {"junk", "junk ", ""}) {
    Write(text);
    file.Look();
    EXPECT_TRUE(Accepts("a/alice"));
  }
  EXPECT_THAT(logged.Messages(),
              ElementsAre(HasSubstr("data does not contain any valid"), HasSubstr("missing content")));
  Write("CA b");
  file.Look();
  EXPECT_TRUE(Accepts("b/alice"));
}

TEST_F(CaFileTest, AMissingOrUnusableFileIsAnErrorAtTheStart) {
  EXPECT_FALSE(CaFile(path, bundle).Load());
  Write("");
  EXPECT_EQ(CaFile(path, bundle).Load().error().message, "missing content for CA bundle \"client-ca-bundle::ca.pem\"");
  Write("junk");
  EXPECT_THAT(CaFile(path, bundle).Load().error().message, HasSubstr("client-ca-bundle::ca.pem"));
  EXPECT_EQ(bundle.verifier(), nullptr);
}

}  // namespace
}  // namespace berth::access
