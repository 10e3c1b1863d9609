// Which signatures the loader accepts. The signed file is not a library: with a good signature it fails with BP-5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/loader/loader.h"
#include "zoo.h"

namespace berth::loader {
namespace {

using testing::HasSubstr;

std::string DataFile(const std::string& name) { return BERTH_TEST_SOURCE_DIR "/tests/data/signatures/" + name; }

crypto::Ed25519Key Key(const std::string& name) {
  const std::vector<std::byte> pem = zoo::ReadBytes(DataFile(name));
  const auto key = crypto::ReadEd25519Key({reinterpret_cast<const char*>(pem.data()), pem.size()});
  EXPECT_TRUE(key) << name;
  return key.value_or(crypto::Ed25519Key{});
}

struct Signed : testing::Test {
  zoo::PrivateFolder folder;
  const std::string file = folder.File("m.so");

  void SetUp() override {
    std::filesystem::copy_file(DataFile("message"), file);
    std::filesystem::copy_file(DataFile("message.sig"), file + ".sig");
  }
  std::string Error(const std::vector<std::string>& keys) const {
    LoaderOptions options;
    for (const std::string& key : keys) options.trust.signature_keys.push_back(Key(key));
    const auto opened = Loader(options).Open(file);
    return opened ? "" : opened.error().message.substr(file.size() + 2);
  }
};

TEST_F(Signed, ByOneOfTheKeysIsAccepted) {
  EXPECT_THAT(Error({"trusted.pub.pem"}), HasSubstr("BP-5: "));
  EXPECT_THAT(Error({"other.pub.pem", "trusted.pub.pem"}), HasSubstr("BP-5: "));
  EXPECT_THAT(Error({}), HasSubstr("BP-5: "));
}

TEST_F(Signed, ByNoKeyIsRefused) {
  EXPECT_THAT(Error({"other.pub.pem"}), HasSubstr("BP-29: is not what " + file + ".sig signs, by none of the 1 keys"));
  zoo::WriteText(file, "what was never signed");
  EXPECT_THAT(Error({"trusted.pub.pem"}), HasSubstr("BP-29: is not what "));
  zoo::WriteText(file + ".sig", "short");
  EXPECT_THAT(Error({"trusted.pub.pem"}), HasSubstr("has 5 bytes, where one of ed25519 has 64"));
  std::filesystem::remove(file + ".sig");
  EXPECT_THAT(Error({"trusted.pub.pem"}),
              HasSubstr("BP-29: needs a signature, and " + file + ".sig cannot be opened: No such file or directory"));
}

TEST_F(Signed, IsNotReadWhenTheLibraryNeedsNone) {
  std::filesystem::copy_file(zoo::ZooFile("good"), folder.File("good.so"));
  EXPECT_TRUE(Loader().Open(folder.File("good.so")));
}

}  // namespace
}  // namespace berth::loader
