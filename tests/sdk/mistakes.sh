#!/usr/bin/env bash
# mistakes.sh CXX SDK: checks that a plugin class with a wrong signature does not compile, and that the message helps.
set -euo pipefail
cxx=$1 sdk=$2
bad=0

# compiles MEMBERS: succeeds if a plugin with these members compiles. Sets $said to the messages of the compiler.
compiles() {
  said=$("$cxx" -std=c++20 -fsyntax-only -I "$sdk/include" -I "$sdk/cpp" -x c++ - 2>&1 <<TEXT
#include <berth/plugin.hpp>
using namespace berth::sdk;
struct Mine {
  static constexpr Info kInfo{.name = "mine"};
  $1
};
BERTH_PLUGIN(Mine);
TEXT
  )
}

# wrong WORDS MEMBERS: the plugin must not compile, and the messages must contain these words.
wrong() {
  if compiles "$2"; then
    echo "this compiles: $2" >&2
    bad=1
  elif [[ $said != *"$1"* ]]; then
    printf 'the messages about "%s" do not say "%s":\n%s\n' "$2" "$1" "$said" >&2
    bad=1
  fi
}

compiles "Status PreFilter(Cycle&, const Pod&) { return {}; }" || { echo "$said" >&2 && bad=1; }
compiles "Mine() = default; private: int x = 0;" || { echo "$said" >&2 && bad=1; }

wrong "Filter must be public and look like: Verdict Filter(Cycle&, const Pod&, Node)" \
  "bool Filter(Cycle&, const Pod&, Node) { return true; }"
wrong "Filter must be public" "Verdict Filter(const Pod&, Node) { return {}; }"
wrong "Filter must be public" "private: Verdict Filter(Cycle&, const Pod&, Node) { return {}; }"
wrong "Score must be public and look like" "Status Score(Cycle&, const Pod&, Rows, std::span<int32_t>) { return {}; }"
wrong "Normalize must be public" \
  "Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t>) { return {}; }"
wrong "either kNormalization or Normalize()" \
  "int64_t Score(Cycle&, const Pod&, Node) { return 1; }
   Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t>) { return {}; }
   static constexpr auto kNormalization = Normalization::kDefault;"
wrong "PreFlight must be public and look like: Status PreFlight(Cycle&, const Pod&, Id node), beside a PreBind" \
  "Status PreFlight(Cycle&, const Pod&, Id) { return {}; }"
wrong "Hint must be public" "bool Hint(Cycle&, const Event&, const Pod&) { return true; }"
wrong "and no kInterests beside it" \
  "static constexpr Interest kInterests[] = {{\"Node\"}};
   std::vector<Interest> Interests() { return {}; }"
wrong "CheckArgs must be public" "static void CheckArgs(ArgsReader&) {}"
wrong "CompleteArgs must be public" "void CompleteArgs(ArgsReader&, JsonWriter&) {}"
wrong "constructed from (berth::sdk::Host&)" "explicit Mine(int) {}"
wrong "Unreserve must be public" "Status Unreserve(Cycle&, const Pod&, Id) { return {}; }"
wrong "Less must be public" "int Less(const Queued&, const Queued&) { return 1; }"
exit $bad
