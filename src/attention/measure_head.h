// Fills the measures of a head after its forward pass. Private to this folder.
#pragma once

#include "attention/attention_call.h"
#include "attention/head_measures.h"
#include "attention/scratch.h"

namespace wf::detail {

// Computes the tiles of a head of self-attention again, as the backward pass does, and stores what
// they say in `slot`. `log_sum_exp` [T] is the forward pass's. Errors: kOutOfMemory.
Status measure_head(const AttentionCall& call, AttentionScratch& scratch, int head,
                    const float* log_sum_exp, HeadMeasures& measures, int slot);

}  // namespace wf::detail
