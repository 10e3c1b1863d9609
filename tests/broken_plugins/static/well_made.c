/* BP-18, BP-19, BP-20 or BP-21, by how it is linked: the code keeps every rule. */
#include "well_made.h"

WELL_MADE_LIBRARY("BadlyLinked")
