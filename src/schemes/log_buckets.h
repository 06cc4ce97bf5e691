// DeBERTa's distance buckets: one for each small distance, then logarithmic.
// make_log_bucket_position of He et al. 2021, arXiv 2111.09543.
#pragma once

#include "tensor/buffer.h"

namespace wf {

class LogBuckets {
 public:
  // No buckets: every distance is its own.
  LogBuckets() = default;
  // `buckets` on each side, for distances below `max_distance`. With `clamps`, larger distances use
  // the last bucket; otherwise buckets continue. Errors: kOutOfMemory.
  static Result<LogBuckets> make(int buckets, int max_distance, bool clamps);

  // The signed bucket of an offset.
  int of(int offset) const;

 private:
  int middle_ = 0;  // up to this a distance is its own bucket; 0: always
  Buffer<int> starts_;  // the first distance of each larger bucket
};

}  // namespace wf
