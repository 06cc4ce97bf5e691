// Next-token losses of a held-out text, read in windows.
#pragma once

#include <vector>

#include "model/transformer.h"
#include "trainer/threads.h"

namespace trainer {

// Sums of a text's losses, in nats.
struct Losses {
  double nats = 0, nats_without_marks = 0;
  int tokens = 0, tokens_without_marks = 0;
  // By position in the window, in buckets of `bucket` tokens; empty by default.
  std::vector<double> bucket_nats;
  std::vector<int> bucket_tokens;

  // Adds one target.
  void take(double target_nats, bool target_is_mark);
  void add(const Losses& other);
};

struct WindowReader {
  const wf::Transformer& model;
  Threads& threads;
  int end_id;                 // never a target
  std::vector<char> is_mark;  // by id
  int bucket = 0;             // tokens a stretch; 0: none

  // Losses of `count` windows of `length` tokens that start every `stride`; only the last `stride`
  // predictions of each window count (of the first window all), so each token counts once.
  // Errors: those of Transformer::loss, where the model is not defined at this length.
  wf::Result<Losses> windows(const std::vector<std::int32_t>& ids, int length, int stride,
                             int count) const;

  // Every token once, with at least half a window of context (but for the first half window).
  wf::Result<Losses> sliding(const std::vector<std::int32_t>& ids, int length) const;

  // Tokens that are equal for every length: those of whole windows of `longest`, cut into pieces.
  wf::Result<Losses> disjoint(const std::vector<std::int32_t>& ids, int length, int longest) const;
};

}  // namespace trainer
