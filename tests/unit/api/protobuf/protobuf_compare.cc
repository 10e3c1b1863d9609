// Reads cases of tests/conformance/cmd/protobufcases from standard input, and prints those whose encodings do not give
// the same object. Exit status 1: there are some, or no kind was compared.
#include <iostream>
#include <iterator>
#include <string>

#include "compare.h"

int main() {
  const std::string file(std::istreambuf_iterator<char>(std::cin), {});
  size_t compared = 0, skipped = 0, different = 0;
  for (const berth::protobuf::Case& one : berth::protobuf::CasesOf(file)) {
    const auto result = berth::protobuf::CompareEncodings(one);
    if (!result) {
      ++skipped;
      continue;
    }
    ++compared;
    if (result->empty()) continue;
    ++different;
    std::cout << one.json.substr(0, 200) << "\n  " << *result << "\n";
  }
  std::cout << compared << " objects compared, " << different << " differ, " << skipped
            << " of kinds without a table\n";
  return compared > 0 && different == 0 ? 0 : 1;
}
