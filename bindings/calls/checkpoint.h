// A checkpoint's files, whose bytes a caller brings piece by piece (model/checkpoint_reader.h).
#pragma once

#include "calls/model.h"
#include "model/checkpoint_reader.h"

namespace wf::calls {

class Checkpoint {
 public:
  explicit Checkpoint(CheckpointReader reader) : reader_(std::move(reader)) {}

  // Errors: kInvalidArgument, kOutOfMemory.
  static Result<std::unique_ptr<Checkpoint>> make(int files);

  // How many of a file's first bytes are needed in one piece; 0: those that came are enough.
  // Errors: kMalformedFile, kUnsupported, kInvalidArgument, kOutOfMemory.
  Result<double> add(const Workspace& workspace, int file, List beginning, double file_bytes);
  // Errors: those of CheckpointReader.
  Status begin(const Workspace& workspace, const Model& model, List plan, bool allow_not_finite);
  // What is to be read next: nothing where there are no bytes.
  CheckpointReader::Piece next() const { return reader_.next(); }
  Status give(const Workspace& workspace, List bytes);

 private:
  CheckpointReader reader_;
  std::shared_ptr<Transformer> model_;
};

}  // namespace wf::calls
