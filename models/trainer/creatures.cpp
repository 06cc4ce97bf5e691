#include "trainer/creatures.h"

#include <algorithm>

namespace trainer {
namespace {

constexpr int kHalf = Creatures::kSide / 2;
// In percent, by the distance from the edge: how likely a cell of the left half is part of the
// body. The first and the last row have half of that.
constexpr std::uint32_t kBody[kHalf] = {10, 30, 60, 80, 90, 95};
// In percent: a cell of the second coat; a pair with a chosen cell; a chosen cell that is hidden,
// and one that is replaced.
constexpr std::uint32_t kSecondCoat = 35, kChosen = 40, kHides = 60, kReplaces = 20;

// Writes the cells of a creature, and returns the tile of its eyes.
std::int32_t draw(wf::Random& random, std::int32_t* cells) {
  const auto tile = [&](int first, int count) {
    return first + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(count)));
  };
  const std::int32_t ground = tile(Creatures::kFirstTile, Creatures::kGrounds);
  const std::int32_t coat = tile(Creatures::kFirstCoat, Creatures::kCoats);
  std::int32_t second = tile(Creatures::kFirstCoat, Creatures::kCoats - 1);
  if (second >= coat) ++second;
  const std::int32_t eyes = tile(Creatures::kFirstEye, Creatures::kEyes);
  const int eye_row = tile(2, 4), eye_column = tile(2, 3);
  for (int row = 0; row < Creatures::kSide; ++row)
    for (int column = 0; column < kHalf; ++column) {
      const bool is_edge = row == 0 || row == Creatures::kSide - 1;
      const bool is_body = random.below(100) < kBody[column] / (is_edge ? 2 : 1);
      const std::int32_t of_body = random.below(100) < kSecondCoat ? second : coat;
      const bool is_eye = row == eye_row && column == eye_column;
      std::int32_t* line = cells + row * Creatures::kSide;
      line[column] = is_eye ? eyes : is_body ? of_body : ground;
      line[Creatures::kSide - 1 - column] = line[column];
    }
  return eyes;
}

}  // namespace

void Creatures::fill_row(wf::Random& random, int length, std::int32_t* ids,
                         std::int32_t* targets) const {
  std::fill_n(ids, length, std::int32_t{kHidden});
  std::fill_n(targets, length, -1);
  std::int32_t* cells = ids + 1;
  const std::int32_t eyes = draw(random, cells);
  ids[0] = kWhole;
  if (targets_.scores_whole) targets[0] = eyes;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kHalf; ++column) {
      if (random.below(100) >= kChosen) continue;
      const int chosen = row * kSide + (random.below(2) ? kSide - 1 - column : column);
      if (targets_.scores_cells) targets[1 + chosen] = cells[chosen];
      const std::uint32_t fate = random.below(100);
      if (fate < kHides)
        cells[chosen] = kHidden;
      else if (fate < kHides + kReplaces)
        cells[chosen] = drawn(random, kFirstTile, kVocabulary);
    }
}

}  // namespace trainer
