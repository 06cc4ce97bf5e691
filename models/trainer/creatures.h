// Pictures of symmetric creatures, for a small model of pictures. A sequence is one token for the
// whole picture, then its 12 × 12 cells, row by row, each one tile. Each row of cells is its own
// mirror image. In some pairs of cells that mirror each other, one is hidden, replaced by a random
// tile or left as it is; its own tile is the target there. The target of the first token is the
// tile of the eyes.
#pragma once

#include "training/tasks/row_task.h"

namespace trainer {

// `scores_whole`, `scores_cells`: whether the first token and the cells have targets.
struct CreatureTargets {
  bool scores_whole = true, scores_cells = true;
};

class Creatures final : public wf::RowTask {
 public:
  static constexpr int kSide = 12, kLength = 1 + kSide * kSide;
  // Ids: the first token, a hidden cell, and the tiles of grounds, coats and eyes.
  static constexpr int kGrounds = 3, kCoats = 5, kEyes = 3;
  static constexpr int kWhole = 0, kHidden = 1, kFirstTile = 2;
  static constexpr int kFirstCoat = kFirstTile + kGrounds, kFirstEye = kFirstCoat + kCoats;
  static constexpr int kVocabulary = kFirstEye + kEyes;

  explicit Creatures(CreatureTargets targets) : targets_(targets) {}

  int shortest() const override { return kLength; }
  int longest() const override { return kLength; }

 protected:
  void fill_row(wf::Random& random, int length, std::int32_t* ids,
                std::int32_t* targets) const override;

 private:
  CreatureTargets targets_;
};

}  // namespace trainer
