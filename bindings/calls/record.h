// Requests to record values of a layer, and the records.
#pragma once

#include <memory>

#include "attention/recorder.h"
#include "calls/reader.h"

namespace wf::calls {

// Lists of indices (int32), ascending and distinct; an empty one means all.
struct RecordRequest {
  int kinds = 0;  // the bits of RecordKind
  List heads, rows, columns;
};

// The sizes of the attention that is recorded.
struct RecordedSizes {
  int num_heads, head_dim;
  int queries, keys;
  int value_dim = 0;
};

// The lists of a request, in the block. Errors: kInvalidArgument for indices out of range or not
// ascending.
Result<Region> region_of(Reader& reader, const RecordRequest& request, const RecordedSizes& sizes);

// Errors: kInvalidArgument for unknown kinds and for indices out of range; kOutOfMemory.
Result<Recorder> make_recorder(const Workspace& workspace, const RecordRequest& request,
                               const LayerSchemes& schemes, const RecordedSizes& sizes);

// The record of one layer and sequence: [heads,rows,columns] for each kind; of pairs [.., pairs],
// of nobody [heads,rows], of gates [heads,columns], of weighted values [heads,rows,valueChannels].
class Record {
 public:
  explicit Record(Recorder recorder)
      : recorder_(std::make_shared<const Recorder>(std::move(recorder))) {}
  // Of a recorder that goes on: read it before the next row.
  explicit Record(std::shared_ptr<const Recorder> recorder) : recorder_(std::move(recorder)) {}

  int heads() const { return recorder_->heads(); }
  int rows() const { return recorder_->rows(); }
  int columns() const { return recorder_->columns(); }
  int pairs() const { return recorder_->pairs(); }
  int value_channels() const { return recorder_->value_channels(); }
  // Address of the floats of one kind (a bit of RecordKind, not terms), with the sizes above; 0 if
  // it was not requested.
  std::uintptr_t floats(int kind) const;
  int term_count() const { return recorder_->term_count(); }
  // For an index out of range, an empty name and no floats.
  const char* term_name(int index) const;
  std::uintptr_t term(int index) const;
  // Of the measures, or 0 if they were not requested: [heads, measures]; the mean weight and the
  // number of visible keys by distance, [heads, tokens]; lengths and shares of rotated pairs,
  // [heads, measured_pairs].
  std::uintptr_t measures() const;
  std::uintptr_t curves() const;
  std::uintptr_t curve_counts() const;
  int measured_pairs() const;
  std::uintptr_t pair_lengths() const;
  std::uintptr_t pair_shares() const;

 private:
  bool has_term(int index) const { return index >= 0 && index < recorder_->term_count(); }

  std::shared_ptr<const Recorder> recorder_;
};

}  // namespace wf::calls
