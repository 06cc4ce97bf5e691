#include "attention/key_tiles.h"

namespace wf::detail {

KeyTiles::KeyTiles(const AttentionCall& call, int row0, int rows)
    : begin(call.mask.visible_to_any(row0, rows, call.k.rows).begin / kPanelColumns *
            kPanelColumns),
      end(call.mask.visible_to_any(row0, rows, call.k.rows).end),
      count(end > begin ? (end - begin + kBlockColumns - 1) / kBlockColumns : 0),
      right_to_left(call.right_to_left) {}

}  // namespace wf::detail
