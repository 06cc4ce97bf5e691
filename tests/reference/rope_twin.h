// Rotary frequencies from the papers' formulas, written a second time for the twins.
#pragma once

#include "attention_twin.h"

namespace wf::reference {

// w [pairs] and the factor on cosine and sine, from a scheme's rotary options, the first of which
// (maxPositionEmbeddings) has index `first`. width: channels that turn.
struct RopeLadder {
  Row frequencies;
  double factor = 1;
};
RopeLadder rope_ladder(const OptionValues& options, int first, int width, double base,
                       int sequence_length);

// Turns the pair (a, b) through an angle, and stretches it.
void turn(double& a, double& b, double angle, double factor = 1);

// Gives a type of scaling that stands alone what it needs: s = 4, a short L so that the battery's
// few positions cross it, and lists of `pairs` numbers.
void complete_rope_scaling(OptionValues& options, int first, int pairs);

}  // namespace wf::reference
