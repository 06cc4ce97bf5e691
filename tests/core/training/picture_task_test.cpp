#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/training/task_batches.h"

namespace wf {
namespace {

using namespace testing;

TEST_CASE("Picture: the corner asks for a quarter or for the left of two shapes") {
  const int side = 9, first_ink = 8;
  for (const char* id : {"picture", "picture_quadrant", "picture_left"}) {
    CAPTURE(std::string(id));
    const auto task = task_of(id, {14, {}});
    CHECK(task->is_grid());
    std::set<int> questions, answers;
    each_row(*task, side * side, [&](const std::int32_t* ids, const std::int32_t* targets) {
      CHECK(std::all_of(targets + 1, targets + side * side, [](int t) { return t == -1; }));
      std::vector<int> shape_cells;
      for (int t = 0; t < side * side; ++t)
        if (ids[t] >= first_ink) shape_cells.push_back(t);
      questions.insert(ids[0]);
      answers.insert(targets[0]);
      if (ids[0] == 2) {
        REQUIRE(shape_cells.size() == 4);
        const auto half = [&](int place) {
          return place < side / 2 ? 0 : place >= side - side / 2 ? 1 : -9;
        };
        for (const int cell : shape_cells)
          CHECK(targets[0] == 4 + 2 * half(cell / side) + half(cell % side));
      } else {
        REQUIRE(ids[0] == 3);
        REQUIRE(shape_cells.size() == 8);
        int leftmost = shape_cells[0];
        for (const int cell : shape_cells)
          if (cell % side < leftmost % side) leftmost = cell;
        CHECK(targets[0] == ids[leftmost]);
        for (const int cell : shape_cells)
          if (ids[cell] != ids[leftmost]) CHECK(cell % side > leftmost % side + 1);
      }
    });
    if (std::string(id) == "picture") CHECK(questions == std::set<int>{2, 3});
    if (std::string(id) == "picture_quadrant") CHECK(answers == std::set<int>{4, 5, 6, 7});
    if (std::string(id) == "picture_left") CHECK(answers.size() == 6);
  }
}

}  // namespace
}  // namespace wf
