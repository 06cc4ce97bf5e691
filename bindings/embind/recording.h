// What JavaScript asks to be recorded, and how it gets it.
#pragma once

#include "attention/recorder.h"
#include "guard.h"

namespace wf::binding {

// Lists of indices are Int32Arrays; an empty one means all.
struct RecordRequest {
  std::uint32_t kinds = 0;
  val heads = val::undefined();
  val rows = val::undefined();
  val columns = val::undefined();
};

// A request whose lists have been copied in.
class RecordPlan {
 public:
  static Result<RecordPlan> make(const RecordRequest& request);

  bool wanted() const { return kinds_ != 0; }
  Result<Recorder> recorder(const LayerSchemes& schemes, int num_heads, int head_dim, int queries,
                            int keys) const;

 private:
  std::uint32_t kinds_ = 0;
  Buffer<std::int32_t> heads_, rows_, columns_;
};

// Sets on `result` what was recorded in each layer, layers outermost: sizes heads, rows, columns
// and pairs (numbers), and weights, logits, maskedLogits, pairShares, terms (arrays).
void add_records(std::span<const Recorder> layers, val& result);

}  // namespace wf::binding
