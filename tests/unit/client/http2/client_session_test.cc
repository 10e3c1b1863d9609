// The client's side of HTTP/2 against nghttp2's server, in memory. Thread: the test's.
#include "client/http2/client_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nghttp2/nghttp2.h>

#include <functional>

namespace berth::http2 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Recorder final : public Exchange {
 public:
  void OnSent() override { seen.emplace_back("sent"); }
  void OnHeader(ReplyHeader header) override {
    seen.push_back("header " + std::to_string(header.status) + " " + header.content_type + header.retry_after);
  }
  bool OnData(std::string_view bytes) override {
    seen.push_back("data " + std::string(bytes));
    return wants;
  }
  void OnEnd(Ending ending, const std::string& error) override {
    seen.push_back("end " + std::to_string(static_cast<int>(ending)) + " " + error);
  }
  std::vector<std::string> seen;
  bool wants = true;
};

// Answers with the frames of a function.
class Server {
 public:
  using Answer = std::function<void(nghttp2_session*, int32_t stream)>;
  explicit Server(Answer answer) : answer_(std::move(answer)) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_frame_recv_callback(
        callbacks, [](nghttp2_session* session, const nghttp2_frame* frame, void* self) {
          if (frame->hd.type == NGHTTP2_HEADERS) static_cast<Server*>(self)->answer_(session, frame->hd.stream_id);
          return 0;
        });
    nghttp2_session_server_new(&session_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, nullptr, 0);
  }
  ~Server() { nghttp2_session_del(session_); }

  // Passes bytes in both directions until there are none.
  void Talk(ClientSession& client) {
    for (std::string out; client.Output(out, 1 << 20); out.clear()) {
      nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(out.data()), out.size());
      const uint8_t* bytes = nullptr;
      for (ssize_t size; (size = nghttp2_session_mem_send(session_, &bytes)) > 0;) {
        client.Input({reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)});
      }
    }
  }

 private:
  const Answer answer_;
  nghttp2_session* session_ = nullptr;
};

nghttp2_nv Field(std::string_view name, std::string_view value) {
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

const std::vector<Header> kGet{{":method", "GET"}, {":scheme", "https"}, {":authority", "h"}, {":path", "/x"}};

std::vector<std::string> SeenOf(const Server::Answer& answer) {
  ClientSession session;
  Recorder recorder;
  EXPECT_GT(session.Start(kGet, {}, recorder), 0);
  Server(answer).Talk(session);
  return recorder.seen;
}

TEST(ClientSession, AReplyBeginsAfterInformationalOnes) {
  EXPECT_THAT(SeenOf([](nghttp2_session* session, int32_t id) {
                const nghttp2_nv hint[] = {Field(":status", "103")};
                nghttp2_submit_headers(session, NGHTTP2_FLAG_NONE, id, nullptr, hint, 1, nullptr);
                const nghttp2_nv reply[] = {Field(":status", "200"), Field("content-type", "text/plain")};
                nghttp2_submit_response(session, id, reply, 2, nullptr);
              }),
              ElementsAre("sent", "header 200 text/plain", "end 0 "));
}

TEST(ClientSession, ALongFieldIsSkipped) {
  EXPECT_THAT(SeenOf([](nghttp2_session* session, int32_t id) {
                static const std::string kLong(10'000, 'x');
                const nghttp2_nv reply[] = {Field(":status", "200"), Field("content-type", kLong)};
                nghttp2_submit_response(session, id, reply, 2, nullptr);
              }),
              ElementsAre("sent", "header 200 ", "end 0 "));
}

TEST(ClientSession, AGoAwayTellsWhichRequestsWereNotProcessed) {
  ClientSession session;
  Recorder first, second;
  EXPECT_EQ(session.Start(kGet, {}, first), 1);
  EXPECT_EQ(session.Start(kGet, {}, second), 3);
  EXPECT_EQ(session.Room(), 98U);
  Server([](nghttp2_session* peer, int32_t id) {
    if (id == 3) nghttp2_submit_goaway(peer, NGHTTP2_FLAG_NONE, 1, NGHTTP2_NO_ERROR, nullptr, 0);
  }).Talk(session);
  EXPECT_THAT(first.seen, ElementsAre("sent"));
  EXPECT_THAT(second.seen, ElementsAre("sent",
                                       "end 1 http2: server sent GOAWAY and closed the connection; LastStreamID=1, "
                                       "ErrCode=NO_ERROR, debug=\"\""));
  EXPECT_TRUE(session.ends());
  EXPECT_EQ(session.Room(), 0U);
  EXPECT_EQ(session.open(), 1U);
}

TEST(ClientSession, EndsWithTheLastStreamId) {
  ClientSession session(INT32_MAX);
  EXPECT_FALSE(session.ends());
  Recorder recorder;
  EXPECT_EQ(session.Start(kGet, {}, recorder), INT32_MAX);
  EXPECT_TRUE(session.ends());
  EXPECT_EQ(session.Room(), 0U);
}

TEST(ClientSession, BytesOfAnotherProtocolAreAnError) {
  ClientSession session;
  Recorder recorder;
  session.Start(kGet, {}, recorder);
  std::string out;
  session.Output(out, 1 << 20);
  session.Input("HTTP/1.1 400 Bad Request\r\n\r\n");
  EXPECT_FALSE(session.over());  // the server is to be told
  EXPECT_TRUE(session.Output(out, 1 << 20));
  EXPECT_TRUE(session.over());
  EXPECT_THAT(session.error(), HasSubstr("http2: "));
  EXPECT_EQ(session.Room(), 0U);
}

TEST(ClientSession, AResetStreamHearsNothingMore) {
  ClientSession session;
  Recorder recorder;
  session.Reset(session.Start(kGet, {}, recorder));
  Server([](nghttp2_session* peer, int32_t id) {
    const nghttp2_nv reply[] = {Field(":status", "200")};
    nghttp2_submit_response(peer, id, reply, 1, nullptr);
  }).Talk(session);
  EXPECT_TRUE(recorder.seen.empty());
  EXPECT_EQ(session.open(), 0U);
}

}  // namespace
}  // namespace berth::http2
