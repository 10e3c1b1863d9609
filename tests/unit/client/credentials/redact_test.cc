#include "client/credentials/redact.h"

#include <gtest/gtest.h>

namespace berth::credentials {
namespace {

TEST(Redact, UrlsAreShownWithoutUserAndQuery) {
  EXPECT_EQ(ShownUrl("http://u:p@h:1/x?t=s#f"), "http://xxxxx@h:1/x");
  EXPECT_EQ(ShownUrl("http://u:p@q?r@h"), "http://xxxxx@h");
  EXPECT_EQ(ShownUrl("u:p@h"), "xxxxx@h");
  EXPECT_EQ(ShownUrl("https://h:1/x"), "https://h:1/x");
}

TEST(Redact, TextsThatAreNoPaths) {
  EXPECT_EQ(ShownPath("/etc/x.crt"), "/etc/x.crt");
  EXPECT_EQ(ShownPath("a\nb"), "(not a file's name; is it the data itself?)");
  EXPECT_EQ(ShownPath("/etc/" + std::string(255, 'a')), "/etc/" + std::string(255, 'a'));
  EXPECT_EQ(ShownPath("/etc/" + std::string(256, 'a')), "(not a file's name; is it the data itself?)");
}

TEST(Redact, ReasonsEndBeforeQuotedText) {
  EXPECT_EQ(ShownReason("cannot decode !!str `x` as a !!int"), "cannot decode !!str ");
  EXPECT_EQ(ShownReason("syntax error - invalid literal; last read: 'x'"), "syntax error - invalid literal");
  EXPECT_EQ(ShownReason("number overflow parsing '1e999'"), "number overflow");
  EXPECT_EQ(ShownReason("the referenced anchor is not defined: x"), "the referenced anchor is not defined");
  EXPECT_EQ(ShownReason("could not find expected ':'"), "could not find expected ':'");
}

TEST(Redact, ControlCharactersBecomeText) {
  EXPECT_EQ(WithoutControls("a\tb\n\x1b[1m\x7f\xc2\x9b\xc3\xa9"), "a\tb\nU+001B[1mU+007FU+009B\xc3\xa9");
}

}  // namespace
}  // namespace berth::credentials
