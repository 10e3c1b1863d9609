// The limits of the listener: connections, time, memory, descriptors.
#include <dirent.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client/http/listener.h"
#include "eventually.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::StartsWith;

constexpr seconds kLong{20};  // longer than any step of these tests, also on a busy machine

// A connection to the listener that does not block its thread for ever.
class Peer {
 public:
  explicit Peer(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval timeout{kLong.count(), 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) Close();
  }
  ~Peer() { Close(); }
  Peer(Peer&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Peer& operator=(Peer&&) = delete;

  bool Send(const std::string& text) const {
    return send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  void Get(const std::string& path) const { Send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"); }
  // The next bytes; "" at the end of the connection.
  std::string Receive() const {
    char bytes[65536];
    const ssize_t got = recv(fd_, bytes, sizeof(bytes), 0);
    if (got < 0 && errno == EAGAIN) ADD_FAILURE() << "nothing came, and the connection is open";
    return {bytes, static_cast<size_t>(std::max<ssize_t>(got, 0))};
  }
  // Reads to the end of the connection.
  std::string Rest() const {
    std::string all;
    for (std::string piece; !(piece = Receive()).empty();) all += piece;
    return all;
  }
  // Reads until `end` has come.
  std::string Until(const std::string& end) const {
    std::string all;
    for (std::string piece; !all.ends_with(end) && !(piece = Receive()).empty();) all += piece;
    return all;
  }
  bool Has() const {
    pollfd wait{fd_, POLLIN, 0};
    return poll(&wait, 1, 0) > 0;
  }
  bool Open(milliseconds timeout = milliseconds(0)) const {
    pollfd wait{fd_, POLLIN, 0};
    if (fd_ < 0) return false;
    if (poll(&wait, 1, static_cast<int>(timeout.count())) == 0) return true;
    char byte;
    return recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  }
  // Sends RST: the listener frees its place at once, and the client's port stays in no wait state.
  void Reset() {
    const linger now{1, 0};
    if (fd_ >= 0) setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    Close();
  }

 private:
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int fd_;
};

Answer Respond(const Incoming& request) {
  if (request.path == "/large") return {.body = std::string(8'000'000, 'x')};
  return {.body = "ok"};
}

std::unique_ptr<Listener> Start(ListenerOptions options, Listener::Handler handler = Respond) {
  if (!options.prompt) options.prompt = [](const Incoming& request) { return request.path == "/healthz"; };
  auto listener = Listener::Start("127.0.0.1:0", std::move(handler), std::move(options));
  if (!listener) ADD_FAILURE() << listener.error().message;
  return std::move(*listener);
}

bool Healthy(uint16_t port) {
  const Peer probe(port);
  probe.Send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  return probe.Rest().ends_with("\r\n\r\nok");
}

size_t OpenDescriptors() {
  size_t n = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++n;
  closedir(folder);
  return n;
}

size_t ResidentKiB() {
  size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(ListenerLimits, Of300ConnectionsThe256LastAreKept) {
  auto listener = Start({});
  std::vector<Peer> peers;
  for (int i = 0; i < 300; ++i) peers.emplace_back(listener->port());
  peers.back().Get("/healthz");
  EXPECT_TRUE(peers.back().Until("ok").ends_with("ok"));  // all have been accepted
  for (int i = 0; i < 300; ++i) EXPECT_EQ(peers[static_cast<size_t>(i)].Open(), i >= 44) << i;
}

TEST(ListenerLimits, AConnectionWithRequestsIsKept) {
  auto listener = Start({.connections = 8});
  const Peer asking(listener->port());
  std::vector<Peer> others;
  for (int i = 0; i < 100; ++i) {
    others.emplace_back(listener->port());
    const Peer* const who[] = {&others.back(), &asking};
    for (const Peer* peer : who) {
      if (peer == &asking && i % 4 != 0) continue;
      peer->Get("/healthz");
      ASSERT_TRUE(peer->Until("ok").ends_with("ok")) << i;
    }
  }
  EXPECT_FALSE(others.front().Open());
}

TEST(ListenerLimits, WhenAllConnectionsWaitForAnswersANewOneIsReset) {
  std::atomic<int> asked{0};
  std::atomic<bool> go{false};
  ListenerOptions options{.connections = 2};
  options.prompt = [&](const Incoming&) { return ++asked < 0; };  // called as soon as a header has been read
  auto listener = Start(options, [&](const Incoming&) -> Answer {
    Eventually([&] { return go.load(); });
    return {.body = "ok"};
  });
  const Peer first(listener->port()), second(listener->port());
  first.Get("/long");
  second.Get("/long");
  EXPECT_TRUE(Eventually([&] { return asked == 2; }));
  const Peer late(listener->port());
  EXPECT_FALSE(late.Open(kLong));
  go = true;
  EXPECT_TRUE(first.Until("ok").ends_with("ok"));
  EXPECT_TRUE(second.Until("ok").ends_with("ok"));
}

TEST(ListenerLimits, AHeaderThatIsNotCompleteInTimeEndsTheConnection) {
  auto listener = Start({.header_time = milliseconds(300)});
  const Peer silent(listener->port()), half(listener->port()), slow(listener->port());
  half.Send("GET /healthz HTTP/1.1\r\nHost: x\r\n");
  slow.Send("GET /healthz HTTP/1.1\r\n");
  const auto started = steady_clock::now();
  while (slow.Open(milliseconds(20)) && steady_clock::now() - started < kLong) slow.Send("X: y\r\n");
  EXPECT_EQ(silent.Rest(), "");
  EXPECT_EQ(half.Rest(), "");
  EXPECT_LT(steady_clock::now() - started, kLong) << "a byte now and then does not prolong it";
}

TEST(ListenerLimits, AnIdleConnectionEnds) {
  auto listener = Start({.idle_time = milliseconds(300)});
  const Peer peer(listener->port());
  peer.Get("/healthz");
  EXPECT_TRUE(peer.Until("ok").ends_with("ok"));
  EXPECT_EQ(peer.Rest(), "");
}

TEST(ListenerLimits, AHeaderThatIsTooLongIsRefusedBeforeItEnds) {
  auto listener = Start({});
  const Peer peer(listener->port());
  peer.Send("GET /healthz HTTP/1.1\r\nX: " + std::string(20'000, 'x'));
  EXPECT_THAT(peer.Rest(), StartsWith("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
}

TEST(ListenerLimits, AClientThatDoesNotReadItsAnswerIsDisconnected) {
  auto listener = Start({.answer_time = milliseconds(300), .answers = 1});
  const Peer idle(listener->port());
  idle.Get("/large");
  EXPECT_TRUE(Eventually([&] { return idle.Has(); }));
  const Peer next(listener->port());  // waits for the only place among the answers
  next.Get("/other");
  EXPECT_TRUE(next.Until("ok").ends_with("ok"));
  EXPECT_LT(idle.Rest().size(), 8'000'000u);
}

TEST(ListenerLimits, ThePathsThatAreSlowDelayNoOthers) {
  std::atomic<int> inside{0};
  std::atomic<bool> go{false};
  ListenerOptions options{.answers = 1, .waiting = 0};
  options.slow = [](const Incoming& request) { return request.path == "/profile"; };
  auto listener = Start(options, [&](const Incoming& request) -> Answer {
    if (request.path == "/profile") {
      ++inside;
      Eventually([&] { return go.load(); });
    }
    return {.body = "ok"};
  });
  const Peer first(listener->port()), second(listener->port()), third(listener->port()), other(listener->port());
  first.Get("/profile");
  second.Get("/profile");
  EXPECT_TRUE(Eventually([&] { return inside == 2; }));
  third.Get("/profile");
  EXPECT_THAT(third.Until("later.\n"), StartsWith("HTTP/1.1 503 "));
  other.Get("/metrics");
  EXPECT_TRUE(other.Until("ok").ends_with("ok"));
  go = true;
  EXPECT_TRUE(first.Until("ok").ends_with("ok"));
  EXPECT_TRUE(second.Until("ok").ends_with("ok"));
  third.Get("/profile");
  EXPECT_TRUE(third.Until("ok").ends_with("ok")) << "the places are free again";
}

TEST(ListenerLimits, ASlowAnswerDoesNotDelayProbes) {
  std::atomic<int> inside{0};
  std::atomic<bool> go{false};
  auto listener = Start({.answers = 1, .waiting = 1}, [&](const Incoming& request) -> Answer {
    if (request.path == "/long") {
      ++inside;
      Eventually([&] { return go.load(); });
    }
    return {.body = "ok"};
  });
  const Peer first(listener->port());
  first.Get("/long");
  EXPECT_TRUE(Eventually([&] { return inside == 1; }));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Healthy(listener->port()));
  const Peer second(listener->port()), third(listener->port());  // the listener has room for one of them to wait
  second.Get("/other");
  third.Get("/other");
  EXPECT_TRUE(Eventually([&] { return second.Has() || third.Has(); }));
  const Peer& refused = second.Has() ? second : third;
  EXPECT_THAT(refused.Receive(), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_EQ(inside, 1);
  go = true;
  EXPECT_TRUE(first.Until("ok").ends_with("ok"));
  EXPECT_TRUE((&refused == &second ? third : second).Until("ok").ends_with("ok"));
}

TEST(ListenerLimits, AsManyAnswersAreMadeAtATimeAsOptionsSay) {
  std::atomic<int> inside{0};
  std::atomic<bool> go{false};
  auto listener = Start({.answers = 3}, [&](const Incoming& request) -> Answer {
    if (request.path == "/quick") return {.body = "ok"};
    ++inside;
    Eventually([&] { return go.load(); });
    return {.body = "ok"};
  });
  const Peer first(listener->port()), second(listener->port()), quick(listener->port());
  first.Get("/slow");
  second.Get("/slow");
  EXPECT_TRUE(Eventually([&] { return inside == 2; }));
  quick.Get("/quick");
  EXPECT_TRUE(quick.Until("ok").ends_with("ok")) << "two slow ones do not hold up the third";
  go = true;
  EXPECT_TRUE(first.Until("ok").ends_with("ok"));
  EXPECT_TRUE(second.Until("ok").ends_with("ok"));
}

TEST(ListenerLimits, ABodyThatIsNotCompleteInTimeEndsTheConnection) {
  auto listener = Start({.header_time = milliseconds(300), .methods = {"PUT"}});
  const Peer half(listener->port());
  half.Send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
  EXPECT_EQ(half.Rest(), "");
}

TEST(ListenerLimits, SentAnswersAreFreed) {
  auto listener = Start({});
  std::vector<Peer> peers;
  const auto ask = [&] {
    peers.emplace_back(listener->port());
    peers.back().Get("/large");
    size_t got = 0;
    while (got < 8'000'000) got += peers.back().Receive().size();
  };
  ask();
  [[maybe_unused]] const size_t before = ResidentKiB();
  for (int i = 0; i < 10; ++i) ask();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers keep freed memory
  EXPECT_LT(ResidentKiB(), before + 32 * 1024) << "ten answers of 8 MB";
#endif
}

TEST(ListenerLimits, AListenerClosesWhileAnswersAreInProgress) {
  std::atomic<int> inside{0};
  auto listener = Start({.answers = 2}, [&](const Incoming& request) -> Answer {
    ++inside;
    if (request.path == "/long") std::this_thread::sleep_for(milliseconds(100));
    return {.body = std::string(8'000'000, 'x')};
  });
  const Peer idle(listener->port());
  idle.Get("/large");
  EXPECT_TRUE(Eventually([&] { return inside == 1; }));
  const Peer made(listener->port());
  made.Get("/long");
  EXPECT_TRUE(Eventually([&] { return inside == 2; }));
  const Peer awaited(listener->port());
  awaited.Get("/other");
  listener.reset();
  EXPECT_EQ(awaited.Rest(), "");
}

// Connects and sends half a request, again and again, with as many open as descriptors allow.
class Flood {
 public:
  Flood(uint16_t port, int attempts) : thread_([this, port, attempts] { Run(port, attempts); }) {}
  void Join() { thread_.join(); }
  bool over() const { return over_; }

 private:
  void Run(uint16_t port, int attempts) {
    std::vector<Peer> open;
    for (int i = 0; i < attempts; ++i) {
      if (open.size() == 400) {
        for (Peer& peer : open) peer.Reset();
        open.clear();
      }
      open.emplace_back(port);
      open.back().Send("GET /healthz HTTP/1.1\r\nHost: x\r\n");
    }
    over_ = true;
    kept_ = std::move(open);  // still silent during the next probe
  }
  std::vector<Peer> kept_;
  std::atomic<bool> over_{false};
  std::jthread thread_;
};

TEST(ListenerLimits, AFloodOf50000HalfOpenRequestsHarmsNeitherProbesNorMemoryNorDescriptors) {
  const size_t descriptors = OpenDescriptors();
  auto listener = Start({});
  Flood(listener->port(), 2'000).Join();  // allocates what the process needs for a flood of any length
  ASSERT_TRUE(Healthy(listener->port()));
  const size_t before = ResidentKiB();
  int probes = 0, answered = 0, in_a_row = 0, most_in_a_row = 0;
  const auto started = steady_clock::now();
  auto flood = std::make_unique<Flood>(listener->port(), 50'000);
  while (!flood->over()) {
    const bool healthy = Healthy(listener->port());
    ++probes;
    answered += healthy ? 1 : 0;
    in_a_row = healthy ? 0 : in_a_row + 1;
    most_in_a_row = std::max(most_in_a_row, in_a_row);
    std::this_thread::sleep_for(milliseconds(5));
  }
  const auto ended = steady_clock::now();
  EXPECT_TRUE(Healthy(listener->port())) << "256 connections are silent";
  EXPECT_LT(steady_clock::now() - ended, ListenerOptions{}.header_time) << "the probe does not wait for their end";
  EXPECT_LT(most_in_a_row, 8) << "the kubelet would start the scheduler again";
  const int64_t grown = static_cast<int64_t>(ResidentKiB()) - static_cast<int64_t>(before);
  flood->Join();
  flood.reset();
  std::printf(
      "50,000 half-open requests in %.1f s: %d of %d probes answered, %d in a row were not; %ld KiB more memory\n",
      std::chrono::duration<double>(ended - started).count(), answered, probes, most_in_a_row,
      static_cast<long>(grown));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers keep freed memory
  EXPECT_LT(grown, 4 * 1024);
#endif
  listener.reset();
  EXPECT_EQ(OpenDescriptors(), descriptors);
}

}  // namespace
}  // namespace berth::http
