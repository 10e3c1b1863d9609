/* BP-18, BP-19, BP-20, or BP-21, depending on the link options: the code itself follows every rule. */
#include "well_made.h"

WELL_MADE_LIBRARY("BadlyLinked")
