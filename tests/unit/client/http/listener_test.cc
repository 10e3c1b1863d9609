// The listener over real sockets on loopback.
#include "client/http/listener.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>

#include "client/http/rest_client.h"
#include "raw_server.h"
#include "serving_client.h"
#include "threads_named.h"

namespace berth::http {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Answer GetFrom(const Incoming& request) {
  const std::string& path = request.path;
  if (path == "/healthz") return {200, "text/plain; charset=utf-8", "ok"};
  if (path == "/echo") return {200, "application/json", path + "?" + request.query};
  if (path == "/large") return {200, "text/plain", std::string(3'000'000, 'x')};
  return {404, "text/plain; charset=utf-8", "404 page not found\n"};
}

std::unique_ptr<Listener> Start(const std::string& address = "127.0.0.1:0") {
  auto listener = Listener::Start(address, GetFrom);
  if (!listener) ADD_FAILURE() << listener.error().message;
  return std::move(*listener);
}

int Connect(uint16_t port) {
  sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) ADD_FAILURE() << "cannot connect";
  return fd;
}

// Reads until the server closes the connection.
std::string Exchange(uint16_t port, const std::string& request) {
  const int fd = Connect(port);
  EXPECT_EQ(send(fd, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  std::string all;
  char bytes[65536];
  for (ssize_t got; (got = recv(fd, bytes, sizeof(bytes), 0)) > 0;) all.append(bytes, static_cast<size_t>(got));
  close(fd);
  return all;
}

std::string Ask(uint16_t port, const std::string& line) {
  return Exchange(port, line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
}

TEST(Listener, AnswersGet) {
  auto listener = Start();
  const std::string healthy = Ask(listener->port(), "GET /healthz");
  EXPECT_THAT(healthy, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(healthy, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_TRUE(healthy.ends_with("\r\n\r\nok")) << healthy;
  EXPECT_THAT(Ask(listener->port(), "GET /other"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
}

TEST(Listener, PassesPathAndQueryUnchanged) {
  auto listener = Start();
  const std::string answer = Ask(listener->port(), "GET /echo?a=b%20c&d");
  EXPECT_TRUE(answer.ends_with("\r\n\r\n/echo?a=b%20c&d")) << answer;
}

TEST(Listener, RefusesEveryOtherMethod) {
  auto listener = Start();
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"}) {
    const std::string answer = Ask(listener->port(), std::string(method) + " /healthz");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 ")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n"));
  }
}

// Replies with all facts about the request.
Answer Describe(const Incoming& request) {
  std::string text = request.method + " " + request.path + " ?" + request.query + "\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\n";
  text += "from " + request.remote_address + (request.tls ? " tls" : " plain") + "\n" + request.body;
  return {.body = std::move(text), .headers = {{"X-Seen", "a"}, {"X-Seen", "b\r\nX-Injected: c"}}};
}

ListenerOptions WithPut() { return {.methods = {"GET", "HEAD", "PUT"}, .body_limit = 1'000}; }

std::unique_ptr<Listener> StartDescribing() {
  auto listener = Listener::Start("127.0.0.1:0", Describe, WithPut());
  if (!listener) ADD_FAILURE() << listener.error().message;
  return std::move(*listener);
}

TEST(Listener, PassesTheWholeRequest) {
  auto listener = StartDescribing();
  const std::string answer = Exchange(listener->port(),
                                      "PUT /debug/flags/v?a=%20 HTTP/1.1\r\nHost: x\r\nX-Twice: 1\r\nx-TWICE: 2\r\n"
                                      "Connection: close\r\nContent-Length: 1\r\n\r\n4");
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nPUT /debug/flags/v ?a=%20\nhost: x\nx-twice: 1\nx-twice: 2\n"));
  EXPECT_THAT(answer, testing::ContainsRegex("\nfrom 127.0.0.1:[0-9]+ plain\n4$"));
}

TEST(Listener, SendsTheHeadersOfTheAnswer) {
  auto listener = StartDescribing();
  const std::string answer = Ask(listener->port(), "GET /");
  EXPECT_THAT(answer, HasSubstr("\r\nX-Seen: a\r\nX-Seen: b  X-Injected: c\r\n"));
}

TEST(Listener, ReadsBodiesAndKeepsTheConnection) {
  auto listener = StartDescribing();
  const std::string answers = Exchange(listener->port(),
                                       "PUT /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nfirst"
                                       "PUT /2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                       "3\r\nsec\r\n3\r\nond\r\n0\r\n\r\n"
                                       "PUT /3 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
                                       "GET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answers, HasSubstr("plain\nfirstHTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answers, HasSubstr("plain\nsecondHTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answers, HasSubstr("\r\n\r\nPUT /3 ?\n"));
  EXPECT_THAT(answers, HasSubstr("\r\n\r\nGET /4 ?\n"));
}

TEST(Listener, RefusesABodyOverTheLimit) {
  auto listener = StartDescribing();
  const std::string body(1'001, 'x');
  const std::string announced = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n" + body;
  const std::string chunked =
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + body + "\r\n0\r\n\r\n";
  const std::string endless = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999\r\n\r\n" + body;
  for (const std::string& request : {announced, chunked, endless}) {
    const std::string answer = Exchange(listener->port(), request);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 413 Payload Too Large\r\n")) << request.substr(0, 80);
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
  }
  const std::string exact = "PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n";
  EXPECT_THAT(Exchange(listener->port(), exact + std::string(1'000, 'x')), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(Listener, RefusesMethodsThatAreNotListed) {
  auto listener = StartDescribing();
  for (const char* method : {"POST", "DELETE", "put", "BREW"}) {
    const std::string answer = Ask(listener->port(), std::string(method) + " /");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 ")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD, PUT\r\n"));
  }
}

TEST(Listener, InvitesABodyThatTheClientHoldsBack) {
  auto listener = StartDescribing();
  const int fd = Connect(listener->port());
  const std::string header =
      "PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
  EXPECT_EQ(send(fd, header.data(), header.size(), MSG_NOSIGNAL), static_cast<ssize_t>(header.size()));
  std::string all;
  char bytes[4096];
  while (!all.ends_with("\r\n\r\n"))
    all.append(bytes, static_cast<size_t>(std::max<ssize_t>(recv(fd, bytes, sizeof(bytes), 0), 0)));
  EXPECT_EQ(all, "HTTP/1.1 100 Continue\r\n\r\n");
  send(fd, "body", 4, MSG_NOSIGNAL);
  for (ssize_t got; (got = recv(fd, bytes, sizeof(bytes), 0)) > 0;) all.append(bytes, static_cast<size_t>(got));
  EXPECT_THAT(all, HasSubstr("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(all.ends_with("plain\nbody")) << all;
  close(fd);
}

// Uses a network namespace, because a test's server listens on loopback only: there, all addresses are loopback.
TEST(Listener, ListensOnBothFamilies) {
  if (std::getenv("BERTH_OWN_NETWORK") == nullptr) {
    const std::string own = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string run = "unshare -rn sh -c 'ip link set lo up && echo up && BERTH_OWN_NETWORK=1 exec \"" + own +
                            "\" --gtest_filter=Listener.ListensOnBothFamilies'";
    const std::string out = ShellOutput(run);
    if (!out.starts_with("up\n")) GTEST_SKIP() << "no network namespace: " << out;
    EXPECT_THAT(out, HasSubstr("[  PASSED  ] 1 test"));
    return;
  }
  auto listener = Listener::Start("0.0.0.0:0", Describe, {.both_families = true});
  ASSERT_TRUE(listener.has_value()) << listener.error().message;
  for (const char* host : {"127.0.0.1", "[::1]"}) {
    auto client = MakeRestClient({.url = "http://" + std::string(host) + ":" + std::to_string((*listener)->port())});
    ASSERT_TRUE(client.has_value());
    EXPECT_THAT((*client)->SendAndWait({.path = "/"}).body, HasSubstr("\nfrom " + std::string(host) + ":"));
  }
}

TEST(Listener, SharesItsPortOnRequest) {
  auto first = Listener::Start("127.0.0.1:0", GetFrom, {.share_port = true});
  ASSERT_TRUE(first.has_value());
  const std::string address = "127.0.0.1:" + std::to_string((*first)->port());
  EXPECT_TRUE(Listener::Start(address, GetFrom, {.share_port = true}).has_value());
  EXPECT_FALSE(Listener::Start(address, GetFrom).has_value());
}

TEST(Listener, AnswersHeadWithoutABody) {
  auto listener = Start();
  const std::string answer = Ask(listener->port(), "HEAD /healthz");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 2\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST(Listener, AnswersRequestAfterRequestUntilAskedToClose) {
  auto listener = Start();
  const std::string two = Exchange(listener->port(),
                                   "GET /echo?1 HTTP/1.1\r\nHost: x\r\n\r\n"
                                   "GET /echo?2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(two, HasSubstr("/echo?1HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(two.ends_with("/echo?2")) << two;
  EXPECT_THAT(Exchange(listener->port(), "GET /healthz HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.0 200 OK\r\n"));
}

TEST(Listener, AnswersRequestsWithABodyAndThenCloses) {
  auto listener = Start();
  const std::string body(200'000, 'x');
  const std::string posted =
      Exchange(listener->port(), "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
                                     "\r\n\r\n" + body);
  EXPECT_THAT(posted, StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(posted, HasSubstr("Connection: close\r\n"));
}

TEST(Listener, RefusesWhatIsNotHttp) {
  auto listener = Start();
  EXPECT_THAT(Exchange(listener->port(), "nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  const std::string endless = "GET /healthz HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n";
  EXPECT_THAT(Exchange(listener->port(), endless), StartsWith("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
}

TEST(Listener, AHandlerThatThrowsIsAnInternalError) {
  auto listener = Listener::Start("127.0.0.1:0", [](const Incoming& request) -> Answer {
    if (request.path == "/throws") throw std::runtime_error("it broke");
    return {.body = "ok"};
  });
  ASSERT_TRUE(listener.has_value());
  EXPECT_THAT(Ask((*listener)->port(), "GET /throws"), StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(Ask((*listener)->port(), "GET /x"), StartsWith("HTTP/1.1 200 "));
}

TEST(Listener, ListensOnIpv6) {
  auto listener = Start("[::1]:0");
  auto client = MakeRestClient({.url = "http://[::1]:" + std::to_string(listener->port())});
  ASSERT_TRUE(client.has_value());
  EXPECT_EQ((*client)->SendAndWait({.path = "/healthz"}).body, "ok");
}

// Waits for the end of the connection; no byte may come before.
bool EndsWithoutAnswer(int fd) {
  const timeval timeout{30, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  char byte;
  const ssize_t got = recv(fd, &byte, 1, 0);
  return got == 0 || (got < 0 && errno == ECONNRESET);
}

// Also proves to the sanitizers that no connection uses the listener after its end.
TEST(Listener, ClosesWhileClientsConnect) {
  for (int round = 0; round < 50; ++round) {
    auto listener = Start();
    const uint16_t port = listener->port();
    const int a = Connect(port), b = Connect(port);
    send(b, "GET /large HTTP/1.1\r\n\r\n", 23, MSG_NOSIGNAL);
    if (round % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    listener.reset();
    EXPECT_TRUE(EndsWithoutAnswer(a)) << "round " << round;
    close(a);
    close(b);
  }
}

TEST(Listener, SurvivesClientsThatDisconnectOrSendInvalidData) {
  auto listener = Start();
  const linger now{1, 0};
  for (const char* request : {"GET /large HTTP/1.1\r\n\r\n", "POST /x HTTP/1.1\r\nContent-Length: 10\r\n\r\nab",
                              "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "GET", "",
                              "\x16\x03\x01\x02garbage\r\n\r\n", "GET /%zz HTTP/1.1\r\n\r\n", "\r\n\r\n"}) {
    for (const bool reset : {false, true}) {
      const int fd = Connect(listener->port());
      send(fd, request, std::strlen(request), MSG_NOSIGNAL);
      if (reset) setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
      close(fd);
    }
  }
  EXPECT_THAT(Ask(listener->port(), "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(Listener, AnswersManyRequestsInParallel) {
  auto listener = Start();
  auto client = MakeRestClient({.url = "http://127.0.0.1:" + std::to_string(listener->port())});
  ASSERT_TRUE(client.has_value());
  std::vector<std::future<Reply>> replies;
  for (int i = 0; i < 16; ++i) {
    replies.push_back(std::async(std::launch::async, [&] { return (*client)->SendAndWait({.path = "/large"}); }));
  }
  for (auto& reply : replies) EXPECT_EQ(reply.get().body.size(), 3'000'000U);
}

TEST(Listener, ClosesUnderOpenConnections) {
  auto listener = Start();
  const uint16_t port = listener->port();
  const int idle = Connect(port), half = Connect(port);
  send(half, "GET /he", 7, MSG_NOSIGNAL);
  listener.reset();
  char byte;
  EXPECT_LE(recv(idle, &byte, 1, 0), 0);
  EXPECT_LE(recv(half, &byte, 1, 0), 0);
  close(idle);
  close(half);
  listener = Start("127.0.0.1:" + std::to_string(port));  // the port is free again
  EXPECT_EQ(listener->port(), port);
  EXPECT_THAT(Ask(port, "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(Listener, AllPortsShareOneThread) {
  auto one = Start(), other = Start();
  EXPECT_THAT(Ask(one->port(), "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(Ask(other->port(), "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(ThreadsNamed("http-server"), 1U);
  one.reset();
  EXPECT_THAT(Ask(other->port(), "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  other.reset();
  EXPECT_EQ(ThreadsNamed("http-server"), 0U);
}

// The end of a port waits for its handlers; the other port continues meanwhile.
TEST(Listener, TheEndOfAPortDelaysNoOther) {
  std::promise<void> inside, leave;
  auto slow = Listener::Start("127.0.0.1:0", [&](const Incoming&) -> Answer {
    inside.set_value();
    leave.get_future().wait();
    return {};
  });
  ASSERT_TRUE(slow.has_value());
  auto other = Start();
  const int client = Connect((*slow)->port());
  send(client, "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL);
  inside.get_future().wait();
  auto ends = std::async(std::launch::async, [&] { slow->reset(); });
  EXPECT_TRUE(EndsWithoutAnswer(client));
  EXPECT_THAT(Ask(other->port(), "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(ends.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  leave.set_value();
  ends.get();
  close(client);
}

TEST(Listener, ABusyPortIsAClearError) {
  RawServer other([](ServerConnection&) {});
  const std::string address = "127.0.0.1:" + std::to_string(other.port());
  for (int i = 0; i < 2; ++i) {
    auto listener = Listener::Start(address, GetFrom);
    ASSERT_FALSE(listener.has_value());
    EXPECT_EQ(listener.error().message,
              "failed to create listener: failed to listen on " + address + ": bind: address already in use");
  }
  auto later = Start();
  EXPECT_THAT(Ask(later->port(), "GET /healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(Listener, AnInvalidAddressIsAClearError) {
  auto error = [](const std::string& address) {
    auto listener = Listener::Start(address, GetFrom);
    return listener ? std::string("none") : listener.error().message;
  };
  const std::string begin = "failed to create listener: failed to listen on ";
  EXPECT_EQ(error("127.0.0.1"), begin + "127.0.0.1: missing port in address");
  EXPECT_EQ(error("127.0.0.1:http"), begin + "127.0.0.1:http: invalid port");
  EXPECT_EQ(error("127.0.0.1:65536"), begin + "127.0.0.1:65536: invalid port");
  EXPECT_EQ(error("127.0.0.1:"), begin + "127.0.0.1:: invalid port");
  EXPECT_EQ(error("::1:80"), begin + "::1:80: too many colons in address");
  EXPECT_EQ(error("203.0.113.7:1"), begin + "203.0.113.7:1: bind: cannot assign requested address");
}

}  // namespace
}  // namespace berth::http
