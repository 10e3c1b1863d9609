#include "codec/yaml/yaml_documents.h"

#include <gtest/gtest.h>

namespace berth::yaml {
namespace {

// Documents as JSON lines, repeated keys as "dup path line:column", a fault as "line:column: reason".
std::string Read(std::string_view text, const YamlLimits& limits = {}) {
  std::string out;
  const auto place = [](const json::Mark& mark) {
    return std::to_string(mark.line) + ":" + std::to_string(mark.column);
  };
  const auto fault = ForEachYamlDocument(text, limits, [&](YamlDocument document) {
    out += json::Dump(document.root) + "\n";
    for (const json::DuplicateKey& d : document.duplicates) out += "dup " + d.path + " " + place(d.mark) + "\n";
  });
  if (fault) out += place(fault->mark) + ": " + fault->reason + "\n";
  return out;
}

TEST(YamlDocuments, QuotedScalarsAreStrings) {
  EXPECT_EQ(Read("a: \"no\"\nb: '5'\nc: |\n  12\nd: >\n  x\n  y\ne: !!str 5\nf: \"\\u00e9\"\n"),
            "{\"a\":\"no\",\"b\":\"5\",\"c\":\"12\\n\",\"d\":\"x y\\n\",\"e\":\"5\",\"f\":\"\xC3\xA9\"}\n");
}

TEST(YamlDocuments, KeysBecomeStrings) {
  EXPECT_EQ(Read("5: a\non: b\n1.5: c\n\"on\": d\n"), "{\"5\":\"a\",\"true\":\"b\",\"1.5\":\"c\",\"on\":\"d\"}\n");
}

TEST(YamlDocuments, SeveralDocuments) {
  EXPECT_EQ(Read("a: 1\n--- # c\nb: 2\n---\n# comment\n\nc: 3\n...\n# c\n\n---\nd: 4\n...\ne: 5\n"),
            "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n{\"d\":4}\n{\"e\":5}\n");
  EXPECT_EQ(Read("# nothing\n---\n---\na: 1\n---\n"), "{\"a\":1}\n");
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("{a: 1}\n---\n{b: 2}\n"), "{\"a\":1}\n{\"b\":2}\n");
}

TEST(YamlDocuments, JsonTextIsReadAsJson) {
  EXPECT_EQ(Read("\n {\"a\": 1,\t\"b\": [\"\\u0041\"]}\n"), "{\"a\":1,\"b\":[\"A\"]}\n");
  EXPECT_EQ(Read("{\"a\": 1,\n \"a\": 2}"), "{\"a\":2}\ndup a 2:2\n");
  EXPECT_EQ(Read("{\"a\": 1,\n \"b\" 5}").rfind("2:6: ", 0), 0u);
}

TEST(YamlDocuments, MarksAreOneBased) {
  json::Value root;
  ForEachYamlDocument("a: 1\nb:\n  - x\n  - c: d\n", {}, [&](YamlDocument d) { root = std::move(d.root); });
  const auto expect = [](const json::Value* v, int line, int column, int key_line, int key_column) {
    ASSERT_NE(v, nullptr);
    EXPECT_EQ(v->mark().line, line);
    EXPECT_EQ(v->mark().column, column);
    EXPECT_EQ(v->key_mark().line, key_line);
    EXPECT_EQ(v->key_mark().column, key_column);
  };
  expect(root.Find("a"), 1, 4, 1, 1);
  expect(root.Find("b"), 3, 3, 2, 1);
  expect(&root.Find("b")->array()[0], 3, 5, 0, 0);
  expect(root.Find("b")->array()[1].Find("c"), 4, 8, 4, 5);
}

TEST(YamlDocuments, AliasesAndMerges) {
  EXPECT_EQ(Read("a: &x {k: 1, l: 2}\nb: *x\nc:\n  <<: *x\n  m: 3\n"),
            "{\"a\":{\"k\":1,\"l\":2},\"b\":{\"k\":1,\"l\":2},\"c\":{\"k\":1,\"l\":2,\"m\":3}}\n");
  // As in Go, a key of both a merge and the map is a duplicate; the last value stays.
  EXPECT_EQ(Read("a: &x {k: 1}\nb:\n  <<: *x\n  k: 9\n"), "{\"a\":{\"k\":1},\"b\":{\"k\":9}}\ndup b.k 4:3\n");
  EXPECT_EQ(Read("a: &x {k: 1}\nb: {<<: [{k: 5}, *x], z: 1}\n"),
            "{\"a\":{\"k\":1},\"b\":{\"k\":5,\"z\":1}}\ndup b.k 2:9\n");
  EXPECT_EQ(Read("\"<<\": {a: 1}\n"), "{\"<<\":{\"a\":1}}\n");
  EXPECT_EQ(Read("<<: 5\n"), "1:5: map merge requires map or sequence of maps as the value\n");
  EXPECT_EQ(Read("- &a k\n- *a\n- *a : v\n"), "[\"k\",\"k\",{\"k\":\"v\"}]\n");
}

TEST(YamlDocuments, RepeatedKeys) {
  EXPECT_EQ(Read("a: 1\nb:\n  c: 1\n  c: 2\na: 2\n"), "{\"a\":2,\"b\":{\"c\":2}}\ndup b.c 4:3\ndup a 5:1\n");
}

TEST(YamlDocuments, Faults) {
  const std::pair<std::string, const char*> cases[] = {
      {"a: b: c\n", "1:5: illegal map value\n"},
      {"a:\n\tb: 1\n", "2:3: illegal map value\n"},
      {"a: [1, 2\n", "2:1: end of sequence flow not found\n"},
      {"[[[", "1:1: invalid map key: a list or map cannot name a member (is a bracket left open?)\n"},
      {"? [a]\n: b\n", "1:3: invalid map key: a list or map cannot name a member (is a bracket left open?)\n"},
      {": b\n", "1:1: invalid map key: null\n"},
      {"a: *nope\n", "1:4: the referenced anchor is not defined\n"},
      {"a: &x [*x]\n", "1:8: an anchor's value contains itself\n"},
      {"a: .nan\n", "1:4: infinities and NaN have no place in JSON, nor in Kubernetes objects\n"},
      {"a: !!bool 5\n", "1:4: cannot decode !!int `5` as a !!bool\n"},
      {"a: \x01\n", "1:4: control characters are not allowed\n"},
      {"a\x04"
       "b: 1",
       "1:2: control characters are not allowed\n"},
      {std::string("a: 1\n\0", 6), "2:1: control characters are not allowed\n"},
      {"a: \xff\n", "1:4: invalid UTF-8\n"},
      {"\xff\xfe"
       "a\0:\0",
       "1:1: invalid UTF-8\n"},
      {std::string("\x7f"
                   "ELF\x02\x01\x01\0",
                   8),
       "1:1: control characters are not allowed\n"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Read(text), expected) << text;
}

// yaml-cpp 0.7 accepts all of these and loses the rest.
TEST(YamlDocuments, FaultsThatYamlCppAccepts) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: \"x\nb: 1\n", "1:4: found unexpected end of stream in a quoted string\n"},
      {"a: 'x''\n", "1:4: found unexpected end of stream in a quoted string\n"},
      {"a: !!str \"x\n", "1:4: found unexpected end of stream in a quoted string\n"},
      {"a: 1\nb\n", "2:1: could not find expected ':'\n"},
      {"a: 1\nb\n  c\n", "2:1: could not find expected ':'\n"},
      {"- a\nb: c\n", "[\"a\"]\n2:1: neither part of the value above nor a new document, which begins with ---\n"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Read(text), expected) << text;
  // ... and these are right.
  EXPECT_EQ(Read("a:\n  \"b\":\n  c:\nd:   \n? e\nf :\n&x g:\n!!str h:\n\"i\" :\n"),
            "{\"a\":{\"b\":null,\"c\":null},\"d\":null,\"e\":null,\"f\":null,\"g\":null,\"h\":null,\"i\":null}\n");
  EXPECT_EQ(Read("{a, b: , \"c\", d}\n"), "{\"a\":null,\"b\":null,\"c\":null,\"d\":null}\n");
  EXPECT_EQ(Read("\"a\": \"x\\\\\"\nb: 'it''s'\n"), "{\"a\":\"x\\\\\",\"b\":\"it's\"}\n");
}

// yaml-cpp would report empty documents without end.
TEST(YamlDocuments, InvalidStartOfAValueEndsTheParsing) {
  for (const char* text : {"a\n...\n,b", "a\n---\n,b", "...\n, ", "a\n...\n]\n...\n"}) {
    const std::string read = Read(text);
    EXPECT_NE(read.find(": "), std::string::npos) << text << read;
  }
}

// As in JSON that Go has written.
TEST(YamlDocuments, InvalidUtf8InBinaryIsReplaced) {
  EXPECT_EQ(Read("a: !!binary tg==\nb: !!binary aGk=\n"), "{\"a\":\"\xEF\xBF\xBD\",\"b\":\"hi\"}\n");
}

TEST(YamlDocuments, OtherLineBreaksAreRejected) {
  for (const std::string odd : {"\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    EXPECT_EQ(Read("\xC3\xA4: 1\r\nb: \"" + odd + "x\"\n"), "2:5: a line break that is neither LF nor CRLF\n");
  }
  EXPECT_EQ(Read("{\"a\":\r\"\xE2\x80\xA8\"}"), "{\"a\":\"\xE2\x80\xA8\"}\n");  // JSON has these
}

TEST(YamlDocuments, ByteOrderMarkAndLineEnds) {
  EXPECT_EQ(Read("\xEF\xBB\xBF"
                 "a: 1\r\n---\r\nb:\r\nc: \"x\"\r\n"),
            "{\"a\":1}\n{\"b\":null,\"c\":\"x\"}\n");
}

TEST(YamlDocuments, Limits) {
  YamlLimits small;
  small.max_bytes = 10;
  EXPECT_EQ(Read("a: 12345678", small), "1:1: larger than the 10 bytes allowed\n");
  std::string deep;
  for (int i = 0; i < 199; ++i) deep += "[";
  EXPECT_EQ(Read(deep + "1" + std::string(199, ']')).size(), 400u);
  EXPECT_EQ(Read("[[" + deep + "1" + std::string(201, ']')), "1:201: nested more than 200 deep\n");
  EXPECT_EQ(Read(std::string(100'000, '[')).rfind("1:1: ", 0), 0u);
  std::string blocks;
  for (int i = 0; i < 250; ++i) blocks += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_NE(Read(blocks).find("nested more than 200 deep"), std::string::npos);
}

TEST(YamlDocuments, AliasBombs) {
  std::string bomb = "a0: &a0 [1,1,1,1,1,1,1,1,1]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 0; j < 8; ++j) bomb += "," + last;
    bomb += "]\n";
  }
  EXPECT_EQ(Read(bomb), "5:5: document contains excessive aliasing\n");
  std::string many = "a: &x {k: v}\n";
  for (int i = 0; i < 1000; ++i) many += "k" + std::to_string(i) + ": *x\n";
  EXPECT_EQ(Read(many).find("excessive"), std::string::npos);
}

TEST(ReadYaml, ErrorsHaveFileAndPosition) {
  EXPECT_EQ(ReadYaml("a: 1\n---\nb: 2\n", "x.yaml")->size(), 2u);
  EXPECT_EQ(ReadYaml("a: b: c\n", "x.yaml").error().message, "x.yaml:1:5: illegal map value");
  EXPECT_EQ(ReadYaml("a:\n  b: 1\n  b: 2\n", "x.yaml").error().message,
            "x.yaml:3:3: a.b: key \"b\" already set in map");
}

}  // namespace
}  // namespace berth::yaml
