/* The correct parts of a plugin that is created, called, and destroyed. A library of this folder defines one faulty
 * function of an extension point, and ends with AT_WORK_LIBRARY. */
#ifndef BERTH_BROKEN_AT_WORK_H
#define BERTH_BROKEN_AT_WORK_H
#include <stdlib.h>
#include <string.h>

#include "../well_made.h"

static const berth_host* at_work_host; /* of the instance made last */

static inline berth_status at_work_ready(berth_plugin* p) {
  (void)p;
  return BERTH_SUCCESS;
}
static inline void at_work_rest(berth_plugin* p) { (void)p; }
/* A filter that lets every row pass. */
static inline berth_status at_work_pass(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                                        berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_SUCCESS;
}
static inline void at_work_destroy(berth_plugin* p) { free(p); }

/* A library that checks args defines both macros before it includes this file. */
#ifndef AT_WORK_LIBRARY_EXTENSION
#define AT_WORK_LIBRARY_EXTENSION well_made_extension
#define AT_WORK_NOTE_MORE ""
#endif

/* Parts in which a library may have its fault; the library defines its version before it includes this file. */
#ifndef AT_WORK_CREATES
#define AT_WORK_CREATES(NAME) (strcmp(name, NAME) == 0)
#endif
#ifndef AT_WORK_OFFERS
#define AT_WORK_OFFERS(ID) (strcmp(id, ID) == 0)
#endif
#ifndef AT_WORK_DEACTIVATE
#define AT_WORK_DEACTIVATE at_work_rest
#endif

#define AT_WORK_NOTE(NAME, POINT)                                                                                   \
  "{\"abi\":[1,0],\"sdk\":\"c/1.0\",\"version\":\"1.0.0\",\"plugins\":[{\"name\":\"" NAME "\",\"points\":[\"" POINT \
  "\"]" AT_WORK_NOTE_MORE "}]}"

/* NAME: the plugin; POINT: the extension point as in notes; ID: the id of TABLE; INIT: its init(). */
#define AT_WORK_LIBRARY_WITH(NAME, POINT, ID, TABLE, INIT)                                                      \
  BERTH_MANIFEST(AT_WORK_NOTE(NAME, POINT));                                                                    \
  WELL_MADE_DESCRIBE(NAME)                                                                                      \
  static const void* at_work_extension(berth_plugin* p, const char* id) {                                       \
    (void)p;                                                                                                    \
    return AT_WORK_OFFERS(ID) ? (const void*)&(TABLE) : WELL_MADE_NULL;                                         \
  }                                                                                                             \
  static berth_plugin* at_work_create(const char* name, const berth_host* host) {                               \
    berth_plugin* p;                                                                                            \
    if (!AT_WORK_CREATES(NAME)) return WELL_MADE_NULL;                                                          \
    p = (berth_plugin*)calloc(1, sizeof *p);                                                                    \
    if (!p) return WELL_MADE_NULL;                                                                              \
    at_work_host = host;                                                                                        \
    p->size = sizeof *p;                                                                                        \
    p->init = INIT;                                                                                             \
    p->activate = at_work_ready;                                                                                \
    p->deactivate = AT_WORK_DEACTIVATE;                                                                         \
    p->destroy = at_work_destroy;                                                                               \
    p->extension = at_work_extension;                                                                           \
    return p;                                                                                                   \
  }                                                                                                             \
  const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {                                                  \
    static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR,          well_made_count, describe, \
                                      at_work_create,      AT_WORK_LIBRARY_EXTENSION};                          \
    (void)host_abi_minor;                                                                                       \
    return &entry;                                                                                              \
  }
#define AT_WORK_LIBRARY(NAME, POINT, ID, TABLE) AT_WORK_LIBRARY_WITH(NAME, POINT, ID, TABLE, at_work_ready)

/* Defines a library with one table, which has the faulty function. */
#define AT_WORK_FILTER(NAME, FUNCTION)                                                    \
  static const berth_filter table = {sizeof(berth_filter), 0, {0, 0, 0, 0, 0}, FUNCTION}; \
  AT_WORK_LIBRARY(NAME, "filter", BERTH_POINT_FILTER, table)
/* Defines a library with a filter that lets every row pass, and a faulty init(). */
#define AT_WORK_PASSING(NAME, INIT)                                                           \
  static const berth_filter table = {sizeof(berth_filter), 0, {0, 0, 0, 0, 0}, at_work_pass}; \
  AT_WORK_LIBRARY_WITH(NAME, "filter", BERTH_POINT_FILTER, table, INIT)
#define AT_WORK_SCORE(NAME, KIND, SCORE, NORMALIZE)                                                \
  static const berth_score table = {sizeof(berth_score), KIND, {0, 0, 0, 0, 0}, SCORE, NORMALIZE}; \
  AT_WORK_LIBRARY(NAME, "score", BERTH_POINT_SCORE, table)

#endif
