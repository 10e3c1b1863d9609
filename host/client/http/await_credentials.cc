#include "client/http/await_credentials.h"

#include "client/http/io_thread.h"

namespace berth::http {

base::Async<std::shared_ptr<Connections>> AwaitCredentials(CurrentConnections& current, std::stop_token stop) {
  while (true) {
    auto connections = current.Get();
    const auto bell = std::make_shared<base::Bell>();
    const std::function<void()> ring = [bell] { bell->Ring(); };
    const auto& ready = connections->peer->options.ready;
    if (!ready || ready(ring)) co_return connections;
    // Other connections may have replaced these in the meantime.
    const base::OnStop on_change(connections->changed.get_token(), ring);
    const bool rung = co_await base::Bell::Rung(*bell, PostToIo, stop);
    if (!rung) co_return nullptr;
  }
}

}  // namespace berth::http
