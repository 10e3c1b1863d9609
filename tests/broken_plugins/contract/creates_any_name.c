/* BP-73: create() ignores the plugin name that it gets. */
#define AT_WORK_CREATES(NAME) (name != 0)
#include "../runtime/at_work.h"

AT_WORK_FILTER("CreatesAnyName", at_work_pass)
