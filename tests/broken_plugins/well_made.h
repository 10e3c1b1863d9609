/* The parts of a correct C plugin library with one plugin that is never created. A broken library uses all parts
 * except the one that it replaces. */
#ifndef BERTH_BROKEN_WELL_MADE_H
#define BERTH_BROKEN_WELL_MADE_H
#include "berth/entry.h"

#ifdef __cplusplus
#define WELL_MADE_NULL nullptr
#else
#define WELL_MADE_NULL 0
#endif

#define WELL_MADE_JSON(NAME)                                                              \
  "{\"abi\":[1,0],\"sdk\":\"c/1.0\",\"version\":\"1.0.0\",\"plugins\":[{\"name\":\"" NAME \
  "\",\"points\":[\"filter\"]}]}"

static inline uint32_t well_made_count(void) { return 1; }
static inline berth_plugin* well_made_create(const char* name, const berth_host* host) {
  (void)name;
  (void)host;
  return WELL_MADE_NULL;
}
static inline const void* well_made_extension(const char* name, const char* id) {
  (void)name;
  (void)id;
  return WELL_MADE_NULL;
}

#define WELL_MADE_DESCRIBE(NAME)                                                                                      \
  static const berth_descriptor* describe(uint32_t i) {                                                               \
    static const berth_descriptor descriptor = {sizeof(berth_descriptor), 0, NAME, "1.0.0", "tests", WELL_MADE_NULL}; \
    return i == 0 ? &descriptor : WELL_MADE_NULL;                                                                     \
  }

#define WELL_MADE_ENTRY(COUNT)                                                                  \
  const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {                                  \
    static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR,    COUNT, describe, \
                                      well_made_create,    well_made_extension};                \
    (void)host_abi_minor;                                                                       \
    return &entry;                                                                              \
  }

/* All parts at once. */
#define WELL_MADE_LIBRARY(NAME)         \
  BERTH_MANIFEST(WELL_MADE_JSON(NAME)); \
  WELL_MADE_DESCRIBE(NAME)              \
  WELL_MADE_ENTRY(well_made_count)

#endif
