#include "client/http/transport.h"

#include <future>
#include <thread>

namespace berth::http {

Reply Transport::SendAndWait(Request request) {
  auto promise = std::make_shared<std::promise<Reply>>();  // shared: set_value may still be busy when get returns
  auto future = promise->get_future();
  Send(std::move(request), [promise](Reply reply) { promise->set_value(std::move(reply)); });
  return future.get();
}

void Transport::OpenStream(Request request, BodySink& sink, std::stop_token stop, std::function<void(Reply)> done) {
  std::thread([this, request = std::move(request), &sink, stop = std::move(stop), done = std::move(done)] {
    done(Stream(request, sink, stop));
  }).detach();
}

}  // namespace berth::http
