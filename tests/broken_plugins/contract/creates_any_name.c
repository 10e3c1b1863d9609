/* BP-73: does not look at the name it is asked for. */
#define AT_WORK_CREATES(NAME) (name != 0)
#include "../runtime/at_work.h"

AT_WORK_FILTER("CreatesAnyName", at_work_pass)
