// What JavaScript asks to be recorded, and how it gets it.
#pragma once

#include "attention/recorder.h"
#include "call.h"

namespace wf::binding {

// Lists of indices; an empty one means all.
class RecordRequest {
 public:
  explicit RecordRequest(Arguments& arguments);

  bool wanted() const { return kinds_ != 0; }
  Result<Recorder> recorder(const LayerSchemes& schemes, int num_heads, int head_dim, int queries,
                            int keys) const;

 private:
  std::uint32_t kinds_;
  Region region_;
};

// Sizes of what a recorder holds (heads, rows, columns, pairs), then weights, logits, masked
// logits, shares of pairs and terms (how many, and each with its name), those of them that are
// wanted.
void add_record(const Recorder& recorder, Answer& answer);

}  // namespace wf::binding
