// Requests to servers other than the API server, and JSON texts. Drafts: name BERTH_SERVICE_HTTP and BERTH_SERVICE_JSON
// in kNeeds or kUses. Make an Http in the plugin's constructor and keep it; a host without the service throws
// MissingService when it is used.
//   http_.Get({.url = "http://10.0.0.7:2020/watcher", .timeout = std::chrono::seconds(55)},
//             [this](const sdk::ApiReply& reply) { if (reply.ok()) ReadJson(host_, reply.body, Take); });
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "berth/api.hpp"
#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/http.h"
#include "berth/value.hpp"

namespace berth::sdk {

// Texts are borrowed until Get returns.
struct HttpRequest {
  std::string_view url;
  std::string_view authorization = "";                          // "Bearer ..."
  bool insecure = false;                                        // do not verify the server's certificate
  std::chrono::nanoseconds timeout = std::chrono::seconds(30);  // without traffic
};

class Http {
 public:
  explicit Http(const Host& host)
      : host_(&host), table_(detail::CopyTable<berth_http>(host.raw()->service(host.raw(), BERTH_SERVICE_HTTP))) {
    detail::Patch<"berth.host.http/1: get">(table_, &berth_http::get);
  }

  // [any] done(const ApiReply&) is called exactly once, as by Api::Send. The host logs its exceptions. It need not be
  // copyable.
  template <class Done>
  void Get(const HttpRequest& request, Done&& done) const {
    using Box = detail::WaitingReply<std::decay_t<Done>>;
    auto waiting = std::make_unique<Box>(Box{host_, std::forward<Done>(done)});
    const berth_http_request raw{sizeof(berth_http_request), request.insecure ? BERTH_HTTP_INSECURE : 0u,
                                 Borrow(request.url), Borrow(request.authorization), request.timeout.count()};
    table_.get(host_->raw(), &raw, &Box::Done, waiting.get());
    waiting.release();  // NOLINT(bugprone-unused-return-value): Done owns it, and a missing service threw before
  }

 private:
  const Host* host_;
  berth_http table_;
};

// [any] Calls fn(Value) with the document of a text. False: the text is no JSON. fn may throw.
template <class Fn>
bool ReadJson(const Host& host, std::string_view text, Fn&& fn) {
  struct Reading {
    const Host& host;
    std::remove_reference_t<Fn>& fn;
    std::exception_ptr thrown;

    static void Read(void* ctx, const berth_value* document) noexcept {
      auto& self = *static_cast<Reading*>(ctx);
      try {
        self.fn(Value(&self.host.services().value, document));
      } catch (...) {
        self.thrown = std::current_exception();
      }
    }
  };
  auto table = detail::CopyTable<berth_json>(host.raw()->service(host.raw(), BERTH_SERVICE_JSON));
  detail::Patch<"berth.host.json/1: parse">(table, &berth_json::parse);
  Reading reading{host, fn, nullptr};
  const bool ok = table.parse(host.raw(), Borrow(text), &Reading::Read, &reading) == 0;
  if (reading.thrown) std::rethrow_exception(reading.thrown);
  return ok;
}

}  // namespace berth::sdk
