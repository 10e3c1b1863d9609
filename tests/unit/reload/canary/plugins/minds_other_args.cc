// Shares its state with its successor, and crashes if the successor has args.
#include <signal.h>

#include <string>

#include <berth/plugin.hpp>

namespace {

using namespace berth::sdk;

struct Args {
  std::string mode = "usual";
  static Args Read(ArgsReader& in) {
    Args args;
    in.Get("mode", args.mode);
    return args;
  }
  void Write(JsonWriter& out) const { out.Field("mode", mode); }
};

struct MindsOtherArgs {
  static constexpr Info kInfo{.name = "MindsOtherArgs", .vendor = "tests"};
  static constexpr std::string_view kSampleArgs = R"({"mode": "other"})";
  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { Args::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { Args::Read(in); }

  explicit MindsOtherArgs(Host&) {}
  MindsOtherArgs(Host& host, MindsOtherArgs&) {
    if (ReadArgs<Args>(host).mode != "usual") raise(SIGSEGV);
  }
  MindsOtherArgs(const MindsOtherArgs&) = delete;
  int64_t Score(Cycle&, const Pod&, Node) { return 7; }
};

}  // namespace

BERTH_PLUGIN(MindsOtherArgs);
