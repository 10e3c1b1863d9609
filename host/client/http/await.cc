#include "client/http/await.h"

#include <memory>

#include "client/http/io_thread.h"
#include "client/http/threads.h"

namespace berth::http {
// Shared with the transport, which may still be busy with the bell when the wait is over.
struct AwaitedReply {
  base::Bell bell;
  Reply reply;
};

static std::function<void(Reply)> Into(const std::shared_ptr<AwaitedReply>& answer) {
  return [answer](Reply reply) {
    answer->reply = std::move(reply);
    answer->bell.Ring();
  };
}

base::Async<Reply> SendAsync(Transport& transport, Request request) {
  const auto answer = std::make_shared<AwaitedReply>();
  transport.Send(std::move(request), Into(answer));
  co_await base::Bell::Rung(answer->bell, PostToIo, {});
  co_return std::move(answer->reply);
}

base::Async<Reply> StreamAsync(Transport& transport, Request request, BodySink& sink, std::stop_token stop) {
  const auto answer = std::make_shared<AwaitedReply>();
  transport.OpenStream(std::move(request), sink, std::move(stop), Into(answer));
  co_await base::Bell::Rung(answer->bell, PostToIo, {});  // the transport ends it when stop is requested
  co_return std::move(answer->reply);
}

base::Async<void> PauseAsync(std::chrono::nanoseconds time, std::stop_token stop) {
  if (time.count() <= 0) co_return;
  auto bell = std::make_shared<base::Bell>();
  co_await RungWithin(std::move(bell), time, std::move(stop));
}

base::Async<void> RungWithin(std::shared_ptr<base::Bell> bell, std::chrono::nanoseconds time, std::stop_token stop) {
  const std::function<void()> ring = [bell] { bell->Ring(); };
  RunAt(std::chrono::steady_clock::now() + time, ring);
  co_await base::Bell::Rung(*bell, PostToIo, std::move(stop));
}

static base::TaskThreads::Task ThenRing(std::function<void()> task, const std::shared_ptr<base::Bell>& bell) {
  return [task = std::move(task), bell] {
    task();
    bell->Ring();
  };
}

base::Async<bool> RunAsync(base::TaskThreads& threads, std::function<void()> task) {
  const auto bell = std::make_shared<base::Bell>();
  const auto posted = threads.Post(ThenRing(std::move(task), bell));
  if (posted != base::TaskThreads::Posted::kQueued) co_return false;
  co_await base::Bell::Rung(*bell, PostToIo, {});
  co_return true;
}

void StartOnIo(std::function<base::Async<void>()> work) {
  PostToIo([work = std::move(work)] { base::Start(work()); });
}

}  // namespace berth::http
