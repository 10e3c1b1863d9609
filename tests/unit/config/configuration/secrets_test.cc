// Printed configurations and errors contain no secrets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json/value.h"
#include "codec/text/base64.h"
#include "config/configuration/print.h"
#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kMarker = "hunter2+/hunter2";  // valid base64, and not the name of a field

std::string ExtenderWithKey(const std::string& key_data) {
  return V1("extenders:\n- urlPrefix: https://x\n  tlsConfig:\n    certData: Y2VydA==\n    keyData: " + key_data +
            "\n");
}

TEST(Secrets, PrintedConfigurationsContainNoKey) {
  const LoadResult result = LoadText(ExtenderWithKey(kMarker));
  ASSERT_THAT(Lines(result.errors), IsEmpty());
  const std::string printed[] = {PrintV1(result.scheduler), json::Dump(ValueV1(result.scheduler)),
                                 PrintExpanded(result.scheduler, ApiVersion::kV1, TestResolver()),
                                 PrintExpanded(result.scheduler, ApiVersion::kV1beta2, TestResolver())};
  for (const std::string& text : printed) {
    EXPECT_THAT(text, Not(HasSubstr("hunter2")));
    EXPECT_THAT(text, HasSubstr("--- REDACTED ---"));
    EXPECT_THAT(text, HasSubstr("Y2VydA==")) << "a certificate is no secret";
  }
}

TEST(Secrets, AreShownUnchangedOnRequest) {
  const std::string key = kMarker;
  const LoadResult result = LoadText(ExtenderWithKey(key));
  EXPECT_EQ(text::EncodeBase64(result.scheduler.extenders[0].tls->key_data.Reveal()), key);
  const std::string printed[] = {
      PrintV1(result.scheduler, Secrets::kShown), json::Dump(ValueV1(result.scheduler, Secrets::kShown)),
      PrintExpanded(result.scheduler, ApiVersion::kV1, TestResolver(), Secrets::kShown),
      PrintExpanded(result.scheduler, ApiVersion::kV1beta2, TestResolver(), Secrets::kShown)};
  for (const std::string& text : printed) EXPECT_THAT(text, HasSubstr(key));
}

TEST(Secrets, ThePlaceholderIsNoKey) {
  const std::string printed = PrintV1(LoadText(ExtenderWithKey(kMarker)).scheduler);
  EXPECT_THAT(ErrorsOf(printed),
              ElementsAre(AllOf(HasSubstr(": extenders[0].tlsConfig.keyData: Invalid value: \"--- REDACTED ---\": "),
                                HasSubstr("--show-secrets"))));
  EXPECT_FALSE(text::DecodeBase64(base::kRedacted));
}

TEST(Secrets, AnEmptySecretIsOmittedAndAccepted) {
  const LoadResult result = LoadText(ExtenderWithKey("''"));
  ASSERT_THAT(Lines(result.errors), IsEmpty());
  EXPECT_THAT(PrintV1(result.scheduler), Not(HasSubstr("keyData")));
}

// Without possible secrets, errors quote the text as usual.
TEST(Secrets, UnknownFieldsNextToThemAreNamed) {
  EXPECT_THAT(ErrorsOf(ExtenderWithKey("Y2VydA==\n    keyfile: x")),
              ElementsAre(HasSubstr("extenders[0].tlsConfig.keyfile: unknown field \"keyfile\" (did you mean")));
}

TEST(Secrets, PrintedConfigurationsContainNoPasswordOfAUrl) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://hunter2@x/p", "https://xxxxx@x/p"},
      {"https://me:hunter2@x:1", "https://xxxxx@x:1"},
      {"https://me:hunter2/hunter2@x", "https://xxxxx@x"},
      {"https://x/p?token=hunter2", "https://x/p?xxxxx"},
      {"https://x/p#hunter2", "https://x/p?xxxxx"},
      {"me:hunter2@x?hunter2", "xxxxx@x?xxxxx"},
      {"https://x:1/p", "https://x:1/p"},
  };
  for (const auto& [url, shown] : cases) {
    const LoadResult result = LoadText(V1("extenders: [{urlPrefix: '" + std::string(url) + "'}]\n"));
    ASSERT_THAT(Lines(result.errors), IsEmpty()) << url;
    const json::Value value = ValueV1(result.scheduler);
    EXPECT_EQ(value.Find("extenders")->array()[0].Find("urlPrefix")->string(), shown);
  }
}

TEST(Secrets, ErrorsQuoteNoSecret) {
  const std::string marker = kMarker, head = "extenders:\n- urlPrefix: https://x\n";
  const std::string tls[] = {
      "    keyData: " + marker + "!\n",
      "    keyData: [" + marker + "]\n",
      "    keyData: {" + marker + ": " + marker + "}\n",
      "    keyData: {" + marker + ": [" + marker + "]}\n",
      "    keyData: &a {b: " + marker + "}\n    *a : x\n",
      "    keyData: !!int " + marker + "\n",
      "    keyData: *" + marker + "\n",
      "    keyData: \"" + marker + "\n",
      "    keyData: \"" + marker + "\\q\"\n",
      "    keyData: " + marker + ": x\n",
      "    keyData " + marker + "\n",
      "    " + marker + ": x\n",
      "    " + marker + "\n",
      "    [" + marker + "]\n",
      "    keyData: |\n    " + marker + "\n",
  };
  for (const std::string& fields : tls) {
    const std::string text = V1(head + "  tlsConfig:\n" + fields);
    const std::vector<std::string> errors = ErrorsOf(text);
    EXPECT_THAT(errors, Not(IsEmpty())) << text;
    for (const std::string& error : errors) EXPECT_THAT(error, Not(HasSubstr("hunter2"))) << text;
  }
  const std::string top =
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","extenders":[{"tlsConfig":{)";
  for (const char* fields :
       {R"("keyData":"%\q"}}]})", R"("keyData":"%)", R"("keyData":"%" "%"}}]})", R"("keyData":%)"}) {
    std::string text = top + fields;
    for (size_t at; (at = text.find('%')) != std::string::npos;) text.replace(at, 1, marker);
    const std::vector<std::string> errors = ErrorsOf(text);
    EXPECT_THAT(errors, Not(IsEmpty())) << text;
    for (const std::string& error : errors) EXPECT_THAT(error, Not(HasSubstr("hunter2"))) << text;
  }
}

}  // namespace
}  // namespace berth::config
