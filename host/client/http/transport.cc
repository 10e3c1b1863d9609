#include "client/http/transport.h"

#include <future>

namespace berth::http {

Reply Transport::SendAndWait(Request request) {
  auto promise = std::make_shared<std::promise<Reply>>();  // shared: set_value may still be busy when get returns
  auto future = promise->get_future();
  Send(std::move(request), [promise](Reply reply) { promise->set_value(std::move(reply)); });
  return future.get();
}

}  // namespace berth::http
