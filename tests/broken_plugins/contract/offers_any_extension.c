/* BP-83: returns a table for every id that begins like an id it knows. */
#define AT_WORK_OFFERS(ID) (strncmp(id, ID, strlen(ID) - 2) == 0)
#include "../runtime/at_work.h"

AT_WORK_FILTER("OffersAnyExtension", at_work_pass)
