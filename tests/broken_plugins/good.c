/* Follows every rule. */
#include "well_made.h"

WELL_MADE_LIBRARY("Good")
