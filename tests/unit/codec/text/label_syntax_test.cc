#include "codec/text/label_syntax.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::text {
namespace {

using Errors = std::vector<std::string>;

// Names of upstream's IsQualifiedName and IsValidLabelValue tests.
TEST(LabelSyntax, Keys) {
  for (const std::string& key :
       {std::string("simple"), std::string("now-with-dashes"), std::string("1-starts-with-num"), std::string("1234"),
        std::string("simple/simple"), std::string("now-with-dashes/simple"), std::string("1.2.3.4/5678"),
        std::string("Uppercase_Is_OK_123"), std::string("example.com/Uppercase_Is_OK_123"),
        std::string("requests.storage-foo"), std::string(63, 'a'),
        std::string(253, 'a') + "/" + std::string(63, 'b')}) {
    EXPECT_TRUE(IsLabelKey(key)) << key;
    EXPECT_EQ(LabelKeyErrors(key), Errors()) << key;
  }
  for (const std::string& key :
       {std::string("nospecialchars%^=@"), std::string("cantendwithadash-"), std::string("-cantstartwithadash-"),
        std::string("only/one/slash"), std::string("Example.com/abc"), std::string("example_com/abc"),
        std::string("example.com/"), std::string("/simple"), std::string(64, 'a'), std::string(254, 'a') + "/abc",
        std::string(), std::string("a..b/c"), std::string("a-.b/c"), std::string("a.-b/c"), std::string(".a/c"),
        std::string("a./c"), std::string("a\n")}) {
    EXPECT_FALSE(IsLabelKey(key)) << key;
    EXPECT_NE(LabelKeyErrors(key), Errors()) << key;
  }
}

TEST(LabelSyntax, Values) {
  for (const std::string& value : {std::string(), std::string("simple"), std::string("end-with-num-1"),
                                   std::string("a.b_c-d"), std::string(63, 'a')}) {
    EXPECT_TRUE(IsLabelValue(value)) << value;
    EXPECT_EQ(LabelValueErrors(value), Errors()) << value;
  }
  for (const std::string& value :
       {std::string("nospecialchars%^=@"), std::string("Tama-nui-te-rā.is.Māori.sun"), std::string("-starts-with-dash"),
        std::string("ends-with-dash-"), std::string(".starts.with.dot"), std::string("a/b"), std::string(64, 'a')}) {
    EXPECT_FALSE(IsLabelValue(value)) << value;
    EXPECT_NE(LabelValueErrors(value), Errors()) << value;
  }
}

TEST(LabelSyntax, Texts) {
  EXPECT_EQ(
      LabelKeyErrors(""),
      (Errors{"name part must be non-empty",
              "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
              "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
              "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"}));
  EXPECT_EQ(
      LabelKeyErrors("A/b"),
      Errors{"prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
             "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
             "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"});
  EXPECT_EQ(LabelKeyErrors("a/b/c").at(0).substr(0, 35), "a valid label key must consist of a");
  EXPECT_EQ(LabelKeyErrors("/b"), Errors{"prefix part must be non-empty"});
  EXPECT_EQ(LabelKeyErrors(std::string(64, 'a')), Errors{"name part must be no more than 63 bytes"});
  EXPECT_EQ(
      LabelValueErrors("a b"),
      Errors{"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
             "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
             "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"});
}

}  // namespace
}  // namespace berth::text
