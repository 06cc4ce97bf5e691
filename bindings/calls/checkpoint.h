// A checkpoint's files, whose bytes the caller passes piece by piece (model/checkpoint_reader.h).
#pragma once

#include "calls/model.h"
#include "model/checkpoint_reader.h"

namespace wf::calls {

class Checkpoint {
 public:
  explicit Checkpoint(CheckpointReader reader) : reader_(std::move(reader)) {}

  // Errors: kInvalidArgument, kOutOfMemory.
  static Result<std::unique_ptr<Checkpoint>> make(int files);

  // Returns how many bytes from the beginning of a file it needs at once, or 0 if these suffice.
  // Errors: kMalformedFile, kUnsupported, kInvalidArgument, kOutOfMemory.
  Result<double> add(const Workspace& workspace, int file, List beginning, double file_bytes);
  // Errors: those of CheckpointReader.
  Status begin(const Workspace& workspace, const Model& model, List plan, bool allow_not_finite);
  // The next bytes to pass to `give`; 0 bytes: everything has been read.
  CheckpointReader::Piece next() const { return reader_.next(); }
  Status give(const Workspace& workspace, List bytes);

 private:
  CheckpointReader reader_;
  std::shared_ptr<Transformer> model_;
};

}  // namespace wf::calls
