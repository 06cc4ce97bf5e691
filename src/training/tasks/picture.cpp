// Questions about a square picture, whose cells are the tokens, row by row. The top left cell is
// the question; only its target is scored:
//   quadrant  a shape is entirely in one quarter: in which? Four answers.
//   left      two shapes side by side: which kind is the left one?
// Three tasks: one for each question, and `picture`, with a random question. Shapes are 2 × 2 cells
// in the colour of their kind, on a background with noise, so the cells without their order show
// only which kinds are present.
#include <algorithm>

#include "training/tasks/row_task.h"

namespace wf {
namespace {

enum Cell : std::int32_t { kGround, kSpeck, kAskQuadrant, kAskLeft, kFirstAnswer };
constexpr int kQuadrants = 4, kSize = 2, kMinKinds = 2;
constexpr int kShortestSide = 6, kLongestSide = 64;

enum class Question : std::uint8_t { kQuadrant, kLeft, kEither };

int side_of(int length) {
  int side = 1;
  while ((side + 1) * (side + 1) <= length) ++side;
  return side;
}

class Picture final : public RowTask {
 public:
  Picture(int vocab_size, Question question)
      : kinds_(kFirstAnswer + kQuadrants), end_(vocab_size), question_(question) {}

  int shortest() const override { return kShortestSide * kShortestSide; }
  int longest() const override { return kLongestSide * kLongestSide; }
  bool is_grid() const override { return true; }

 protected:
  // Cells after the last complete row of the square stay background.
  void fill_row(Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override {
    const int side = side_of(length);
    std::fill_n(ids, length, std::int32_t{kGround});
    std::fill_n(targets, length, -1);
    for (int t = 0; t < side * side; ++t)
      if (random.below(8) == 0) ids[t] = kSpeck;
    const bool asks_left =
        question_ == Question::kEither ? random.below(2) : question_ == Question::kLeft;
    ids[0] = asks_left ? kAskLeft : kAskQuadrant;
    targets[0] = asks_left ? draw_pair(random, side, ids) : draw_one(random, side, ids);
  }

 private:
  static void draw_shape(int side, int row, int column, std::int32_t ink, std::int32_t* ids) {
    for (int r = row; r < row + kSize; ++r)
      for (int c = column; c < column + kSize; ++c) ids[r * side + c] = ink;
  }

  // Returns the answer. Avoids the row of the cell with the question.
  std::int32_t draw_one(Random& random, int side, std::int32_t* ids) const {
    const int half = side / 2;
    const int lower = static_cast<int>(random.below(2)), right = static_cast<int>(random.below(2));
    const int row =
        lower ? drawn(random, side - half, side - kSize + 1) : drawn(random, 1, half - kSize + 1);
    const int column =
        right ? drawn(random, side - half, side - kSize + 1) : drawn(random, 0, half - kSize + 1);
    draw_shape(side, row, column, drawn(random, kinds_, end_), ids);
    return kFirstAnswer + 2 * lower + right;
  }

  // The columns of the two shapes do not touch; their rows are independent.
  std::int32_t draw_pair(Random& random, int side, std::int32_t* ids) const {
    const std::int32_t left = drawn(random, kinds_, end_);
    std::int32_t right = drawn(random, kinds_, end_ - 1);
    if (right >= left) ++right;
    const int left_column = drawn(random, 0, side - 2 * kSize + 1);
    const int right_column = drawn(random, left_column + kSize, side - kSize + 1);
    draw_shape(side, drawn(random, 1, side - kSize + 1), left_column, left, ids);
    draw_shape(side, drawn(random, 1, side - kSize + 1), right_column, right, ids);
    return left;
  }

  int kinds_, end_;  // first id of the shapes' colours, and the end of the ids
  Question question_;
};

Result<std::unique_ptr<Task>> make_asking(const TaskSettings& settings, Question question) {
  WF_RETURN_IF_ERROR(
      check_vocabulary("picture", settings.vocab_size, kFirstAnswer + kQuadrants + kMinKinds));
  return new_task<Picture>(settings.vocab_size, question);
}
Result<std::unique_ptr<Task>> make_either(const TaskSettings& settings) {
  return make_asking(settings, Question::kEither);
}
Result<std::unique_ptr<Task>> make_quadrant(const TaskSettings& settings) {
  return make_asking(settings, Question::kQuadrant);
}
Result<std::unique_ptr<Task>> make_left(const TaskSettings& settings) {
  return make_asking(settings, Question::kLeft);
}

}  // namespace

extern const TaskEntry kPictureTask, kPictureQuadrantTask, kPictureLeftTask;
const TaskEntry kPictureTask = {"picture", make_either};
const TaskEntry kPictureQuadrantTask = {"picture_quadrant", make_quadrant};
const TaskEntry kPictureLeftTask = {"picture_left", make_left};

}  // namespace wf
