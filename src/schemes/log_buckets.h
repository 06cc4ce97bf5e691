// DeBERTa's buckets of distance: one for each while they are few, then by the logarithm.
// make_log_bucket_position of He et al. 2021, arXiv 2111.09543.
#pragma once

#include "tensor/buffer.h"

namespace wf {

class LogBuckets {
 public:
  // No buckets: every distance is itself.
  LogBuckets() = default;
  // `buckets` on each side, of distances below `most`. Where it `clamps`, those beyond are taken
  // for the largest; otherwise buckets go on. Errors: kOutOfMemory.
  static Result<LogBuckets> make(int buckets, int max_distance, bool clamps);

  // The signed bucket of an offset.
  int of(int offset) const;

 private:
  int middle_ = 0;       // up to this a distance is its own bucket; 0: always
  Buffer<int> starts_;  // the first distance of each bucket past it
};

}  // namespace wf
