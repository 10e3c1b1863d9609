// Servers with invalid replies. Errors have the text of Go if Go has one.
#include <gmock/gmock.h>

#include "fake_server.h"
#include "scheduler/extender/server.h"

namespace berth::extender {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::StartsWith;

std::string FilterError(const std::string& url, const Change& change = nullptr) {
  const auto filtered = MakeOne(url, change)->Filter(kPod, kTwoNodes);
  return filtered ? "no error" : filtered.error().message;
}

std::string AnswerError(const std::string& answer) {
  const FakeServer server(answer);
  const std::string error = FilterError(server.url());
  const std::string prefix = "cannot decode the answer of the extender at URL " + server.url() + "/filter: ";
  return error.starts_with(prefix) ? error.substr(prefix.size()) : error;
}

std::string TimeoutError(http::RawServer::Handler handler) {
  const http::RawServer server(std::move(handler));
  const auto begin = std::chrono::steady_clock::now();
  std::string error = FilterError(server.url(), [](auto& c) { c.http_timeout = milliseconds(200); });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(200));
  const std::string prefix = "Post \"" + server.url() + "/filter\": ";
  EXPECT_THAT(error, StartsWith(prefix));
  return error.substr(std::min(prefix.size(), error.size()));
}

TEST(Broken, EveryOtherStatusThan200IsAnError) {
  for (const int status : {201, 204, 302, 404, 500}) {
    const FakeServer server(status == 204 ? "" : R"({"NodeNames":["node1"]})", status);
    EXPECT_EQ(FilterError(server.url() + "/"),
              "failed filter with extender at URL " + server.url() + "/filter, code " + std::to_string(status));
  }
}

TEST(Broken, Answers) {
  EXPECT_EQ(AnswerError(""), "EOF");
  EXPECT_EQ(AnswerError(" \n"), "EOF");
  EXPECT_EQ(AnswerError(R"({"NodeNames":["node1")"), "unexpected EOF");
  EXPECT_EQ(AnswerError("\"no end"), "unexpected EOF");
  EXPECT_EQ(AnswerError("[]"), "answer: expected an object, found an array");
  EXPECT_EQ(AnswerError(R"("text")"), "answer: expected an object, found a string");
  EXPECT_EQ(AnswerError(R"({"NodeNames":"node1"})"), "answer.NodeNames: expected an array, found a string");
  EXPECT_EQ(AnswerError(R"({"NodeNames":["node1",2]})"), "answer.NodeNames[1]: expected a string, found a number");
  EXPECT_EQ(AnswerError(R"({"FailedNodes":{"node1":[]}})"),
            R"(answer.FailedNodes["node1"]: expected a string, found an array)");
  EXPECT_EQ(AnswerError(R"({"Nodes":{"items":[{"metadata":{"name":1}}]}})"),
            "answer.Nodes.items[0].metadata.name: expected a string, found a number");
  EXPECT_EQ(AnswerError(R"({"Error":{}})"), "answer.Error: expected a string, found an object");
  for (const char* junk :
       {"junk", "<html>502</html>", "{]}", "{\"NodeNames\":[}]", "\xff\xfe{}", "}", "nul", "{\"a\"}"}) {
    EXPECT_THAT(AnswerError(junk), HasSubstr("malformed JSON")) << junk;
  }
  EXPECT_NE(AnswerError(std::string(100'000, '[')), "no error");
  EXPECT_NE(AnswerError(std::string(100'000, '[') + std::string(100'000, ']')), "no error");
}

TEST(Broken, TextAfterTheReplyIsIgnored) {
  EXPECT_EQ(AnswerError(R"( {"NodeNames":["node1"]} and more)"), "no error");
  EXPECT_EQ(AnswerError(R"({"Error":"","x":"}\"]\\"}{)"), "no error");
  EXPECT_EQ(AnswerError(R"({"unknown":{"a":[1,2,{"b":null}]},"NodeNames":[]})"), "no error");
}

TEST(Broken, ScoresAndVictims) {
  const auto score_error = [](const std::string& answer) {
    const FakeServer server(answer);
    const auto out = MakeOne(server.url())->Prioritize(kPod, kTwoNodes);
    return out ? "no error" : out.error().message;
  };
  EXPECT_THAT(score_error("{}"), HasSubstr("answer: expected an array, found an object"));
  EXPECT_THAT(score_error(R"([{"Host":"a","Score":1.5}])"), HasSubstr("answer[0].Score: expected a whole number"));
  EXPECT_THAT(score_error(R"([{"Host":"a","Score":"7"}])"), HasSubstr("expected a number, found a string"));
  EXPECT_THAT(score_error(R"([{"Host":"a","Score":9223372036854775808}])"), HasSubstr("expected a whole number"));
  const FakeServer server(R"({"NodeNameToMetaVictims":{"node1":{"Pods":[{"UID":7}]}}})");
  const auto left = MakeOne(server.url())->ProcessPreemption(kPod, {});
  ASSERT_FALSE(left);
  EXPECT_THAT(left.error().message,
              HasSubstr(R"(answer.NodeNameToMetaVictims["node1"].Pods[0].UID: expected a string, found a number)"));
}

TEST(Broken, ConnectionRefused) {
  const std::string url = "http://127.0.0.1:" + std::to_string(http::ClosedPort());
  EXPECT_THAT(FilterError(url), StartsWith("Post \"" + url + "/filter\": dial tcp 127.0.0.1:"));
}

TEST(Broken, ConnectionsThatEndEarly) {
  const http::RawServer mute([](http::ServerConnection& to) {
    http::SeenRequest request;
    to.Read(request);
    to.Reset();
  });
  EXPECT_THAT(FilterError(mute.url()), StartsWith("Post \"" + mute.url() + "/filter\": "));
  const http::RawServer half([](http::ServerConnection& to) {
    http::SeenRequest request;
    to.Read(request);
    to.Write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"NodeNames\":");
  });
  EXPECT_EQ(FilterError(half.url()), "Post \"" + half.url() + "/filter\": unexpected EOF");
}

TEST(Broken, SlowServersTimeOut) {
  EXPECT_EQ(TimeoutError([](http::ServerConnection& to) { to.WaitForClose(); }),
            "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
  EXPECT_EQ(TimeoutError([](http::ServerConnection& to) {
              http::SeenRequest request;
              to.Read(request);
              to.Write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
              to.WaitForClose();
            }),
            "context deadline exceeded (Client.Timeout or context cancellation while reading body)");
}

// The timeout is for the whole exchange, not for each part of it.
TEST(Broken, SlowBodiesTimeOut) {
  EXPECT_EQ(TimeoutError([](http::ServerConnection& to) {
              http::SeenRequest request;
              to.Read(request);
              to.Write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{");
              while (to.Write(" ")) std::this_thread::sleep_for(milliseconds(20));
            }),
            "context deadline exceeded (Client.Timeout or context cancellation while reading body)");
}

TEST(Broken, ATimeoutEndsOnlyOneCall) {
  std::atomic<int> calls = 0;
  const http::RawServer server(http::Answering([&](http::ServerConnection& to, const auto&) {
    if (calls++ == 0) return to.WaitForClose();
    to.WriteReply(200, R"({"NodeNames":["node1"]})");
  }));
  const auto extender = MakeOne(server.url(), [](auto& c) { c.http_timeout = milliseconds(300); });
  EXPECT_FALSE(extender->Filter(kPod, kTwoNodes));
  const auto filtered = extender->Filter(kPod, kTwoNodes);
  EXPECT_TRUE(filtered) << filtered.error().message;
}

TEST(Broken, OversizedAnswers) {
  const http::RawServer server([](http::ServerConnection& to) {
    http::SeenRequest request;
    to.Read(request);
    to.Write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string piece(1 << 20, ' ');
    for (size_t sent = 0; sent <= kMaxReplyBytes && to.WriteChunk(piece); sent += piece.size()) {
    }
    to.WaitForClose();
  });
  EXPECT_EQ(FilterError(server.url(), [](auto& c) { c.http_timeout = std::chrono::seconds(60); }),
            "Post \"" + server.url() + "/filter\": the answer is larger than 67108864 bytes");
}

TEST(Broken, ClosedExtenders) {
  std::atomic<bool> asked = false;
  const http::RawServer server([&](http::ServerConnection& to) {
    http::SeenRequest request;
    to.Read(request);
    asked = true;
    to.WaitForClose();
  });
  const auto extender = MakeOne(server.url(), [](auto& c) { c.http_timeout = std::chrono::seconds(60); });
  const std::string canceled = "Post \"" + server.url() + "/bind\": context canceled";
  {
    std::jthread binder([&] {
      const auto bound = extender->Bind({"p", "ns", "u", "node1"});
      EXPECT_EQ(bound ? "bound" : bound.error().message, canceled);
    });
    while (!asked) std::this_thread::yield();
    extender->Close();
  }
  const auto bound = extender->Bind({"p", "ns", "u", "node1"});
  EXPECT_EQ(bound ? "bound" : bound.error().message, canceled);
  extender->Close();
}

}  // namespace
}  // namespace berth::extender
