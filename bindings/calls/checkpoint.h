// A checkpoint's files, whose bytes a caller brings piece by piece (model/checkpoint_reader.h).
#pragma once

#include "calls/model.h"
#include "model/checkpoint_reader.h"

namespace wf::calls {

// How many of a file's first bytes are needed in one piece; 0: those that came are enough.
struct NeededBytes {
  Code code = Code::kOk;
  double bytes = 0;
};

// What is to be read next: nothing where there are no bytes.
struct CheckpointPiece {
  int file = 0;
  double offset = 0;
  int bytes = 0;
};

class Checkpoint {
 public:
  explicit Checkpoint(CheckpointReader reader) : reader_(std::move(reader)) {}

  // Errors: kInvalidArgument, kOutOfMemory.
  static Result<std::unique_ptr<Checkpoint>> make(int files);

  // Errors: kMalformedFile, kUnsupported, kInvalidArgument, kOutOfMemory.
  Result<NeededBytes> add(const Workspace& workspace, int file, List beginning, double file_bytes);
  // Doubles, six for each key of a GGUF file: where the key begins and its bytes, the type (ggml's
  // number), 1 for a list, how many values, where they begin. None for other files.
  List entries(int file);
  // Doubles: where a tensor lies in a file, its bytes, and 1 where its numbers are F32; none where
  // the file has no such tensor.
  List place(const Workspace& workspace, int file, List name);

  // Errors: those of CheckpointReader.
  Status begin(const Workspace& workspace, const Model& model, List plan, bool allow_not_finite);
  CheckpointPiece next() const;
  Status give(const Workspace& workspace, List bytes);

 private:
  List numbers(std::size_t count);

  CheckpointReader reader_;
  std::shared_ptr<Transformer> model_;
  Buffer<double> numbers_;
};

}  // namespace wf::calls
