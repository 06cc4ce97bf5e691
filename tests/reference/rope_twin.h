// Rotary frequencies from the papers' formulas, a second implementation for the twins.
#pragma once

#include "attention_twin.h"

namespace wf::reference {

// Returns frequencies w [pairs] and the factor on cosine and sine for a scheme's rotary options,
// which start at index `first` (maxPositionEmbeddings). width: number of rotated channels.
struct RopeLadder {
  Row frequencies;
  double factor = 1;
};
RopeLadder rope_ladder(const OptionValues& options, int first, int width, double base,
                       int sequence_length);

// Returns the frequencies of the rotated channels of a head, of which `partial` rotate. For the
// type "proportional" they include pairs that are not rotated, with frequency 0.
RopeLadder ladder_of_head(const OptionValues& options, int first, int head_dim, double partial,
                          double base, int sequence_length);

// Rotates the pair (a, b) by an angle and multiplies it by `factor`.
void turn(double& a, double& b, double angle, double factor = 1);

// Sets the options that a type of scaling requires: s = 4, an L so short that the tests' few
// positions exceed it, and lists of `pairs` numbers.
void complete_rope_scaling(OptionValues& options, int first, int pairs);

}  // namespace wf::reference
