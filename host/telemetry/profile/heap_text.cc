#include "telemetry/profile/heap_text.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>

namespace berth::profile {

std::string HeapText() {
  char* text = nullptr;
  size_t size = 0;
  FILE* file = open_memstream(&text, &size);
  if (file == nullptr) return "";
  malloc_info(0, file);
  std::fclose(file);
  std::string out(text, size);
  std::free(text);
  return out;
}

}  // namespace berth::profile
