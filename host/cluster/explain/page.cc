#include "cluster/explain/page.h"

#include <string>

namespace berth::explain {
namespace {

constexpr std::string_view kIndex = "index.html";
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri "
    "'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const char* TypeOf(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  return "text/html; charset=utf-8";
}

http::Answer AnswerWith(const PageFile& file) {
  http::Answer answer{200, TypeOf(file.name), std::string(file.text), serve::NoSniff()};
  answer.headers.emplace_back("Content-Security-Policy", kPolicy);
  answer.headers.emplace_back("Referrer-Policy", "no-referrer");
  answer.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  return answer;
}

}  // namespace

void AddPageRoutes(serve::Routes& routes) {
  for (const PageFile& file : PageFiles()) {
    const bool index = file.name == kIndex;
    routes.Add({.path = index ? "/explain" : "/explain/" + std::string(file.name),
                .listed = index,
                .methods = {"GET", "HEAD"},
                .handler = [&file](const http::Incoming&) { return AnswerWith(file); }});
  }
}

}  // namespace berth::explain
