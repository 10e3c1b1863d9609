// The page that shows the decisions of the scheduler: /explain and its files. A browser loads nothing from elsewhere
// and runs no script that is not one of these files. Thread: the handlers on any thread. Ownership: the files are
// constants of the program.
#pragma once

#include <string_view>
#include <vector>

#include "cluster/serve/routes.h"

namespace berth::explain {

// text: without indentation, empty lines, and lines that are comments of JavaScript.
struct PageFile {
  std::string_view name, text;  // "app.js"
};
const std::vector<PageFile>& PageFiles();  // one of them is index.html

// /explain and /explain/NAME for every file but the index.
void AddPageRoutes(serve::Routes& routes);

}  // namespace berth::explain
