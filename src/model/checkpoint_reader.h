// Reads a model's weights out of one safetensors file or several (shards), piece by piece: the
// caller reads from wherever the files lie what next() asks for, in the order of the files, and
// gives it. Beside the model's own weights there is one piece in memory, and the files' headers.
//
// Every tensor is checked by the heads, before the first piece is asked for; numbers as they come.
#pragma once

#include <memory>
#include <span>

#include "model/safetensors.h"
#include "model/tensor_plan.h"
#include "model/transformer.h"

namespace wf {

class CheckpointReader {
 public:
  static constexpr int kMaxFiles = 1024;

  struct Piece {
    int file = 0;
    std::uint64_t offset = 0;  // in the file
    std::size_t bytes = 0;  // 0: everything has been read
  };

  // Errors: kInvalidArgument for a count that is not 1 to kMaxFiles.
  static Result<CheckpointReader> make(int files);

  // The beginning of a file of `file_bytes` bytes. Gives how many of the first bytes it needs to
  // see in one piece, by the first eight; 0 once it has what it needs, of which it keeps a copy.
  // Errors: kMalformedFile, kUnsupported, kOutOfMemory.
  Result<std::uint64_t> add(int file, std::span<const std::uint8_t> beginning,
                            std::uint64_t file_bytes);

  // What is to be read into the model, which must outlive the reading: by a plan (text), or where
  // it is empty by the model's own names. A trial reads everything and writes nothing.
  // Errors: kMalformedFile, naming the tensor that is missing, unknown or of another shape;
  // kUnsupported for dtypes that are not read; kInvalidArgument for a plan that says nothing.
  Status begin(Transformer& model, std::string_view plan, bool allow_not_finite,
               bool is_trial = false);

  Piece next() const;
  // The bytes of next(). Errors: kMalformedFile for a number that is not finite, where that is not
  // allowed; kUnsupported for a head that differs from the embedding that it is tied to;
  // kInvalidArgument for another number of bytes. After an error the model is filled in part.
  Status give(std::span<const std::uint8_t> bytes);

 private:
  // A tensor of the model and where it is read: a vector's numbers are rows of one.
  struct Transfer {
    const TensorInfo* info = nullptr;
    const TensorSource* source = nullptr;
    const StoredTensor* stored = nullptr;

    bool is_vector() const { return info->dimensions == 1; }
    bool is_flat() const { return is_vector() && source->is_flat; }
    // Those that are read here: all of the model's, but of a part the file's.
    std::int64_t rows() const { return source->is_part ? stored_rows() : all_rows(); }
    int all_rows() const { return is_vector() ? info->columns : info->rows; }
    int columns() const { return is_vector() ? 1 : info->columns; }
    // Of the file's tensor.
    std::int64_t stored_rows() const {
      if (is_flat()) return static_cast<std::int64_t>(stored->count());
      return source->is_transposed ? stored->columns() : stored->shape[0];
    }
  };
  // A tensor of the files, in their order.
  struct Stored {
    const StoredTensor* tensor = nullptr;
    int file = 0;
    std::int64_t rows_read = 0;
    bool is_transposed = false;
    bool is_paired = false;
    bool is_flat = false;
    bool is_compared = false;
    // Of its numbers, where it is compared: what two tensors of the same numbers have in common.
    std::uint64_t hash = 0;

    std::int64_t rows() const {
      if (is_flat) return static_cast<std::int64_t>(tensor->count());
      return tensor->dimensions == 0 ? 1 : tensor->shape[0];
    }
    std::size_t columns() const {
      return rows() ? tensor->count() / static_cast<std::size_t>(rows()) : 0;
    }
    // Its rows are known only once all of it has come.
    bool is_gathered() const { return is_transposed || is_paired; }
    std::size_t row_bytes() const { return columns() / tensor->block * tensor->block_bytes; }
  };

  Status order_tensors();
  Status find_transfers(const ParameterTable& table);
  Status check_transfers();
  Status check_shape(const Transfer& transfer) const;
  Status check_copies();
  Status compare_copies() const;
  Status check_rest() const;
  Stored* find(std::string_view names);
  Stored* find_one(std::string_view name);
  bool is_wanted(const Stored& stored) const { return stored.rows_read > 0; }
  std::int64_t rows_of_piece() const;
  void skip_unread();
  Status take_rows(Stored& stored, std::int64_t first, int count, const std::uint8_t* bytes);
  void gather(const Stored& stored, std::int64_t first, int count);
  Status write(const Stored& stored, std::int64_t first, int count, float* values);
  Status write(const Transfer& transfer, std::int64_t first, int count, const float* values);

  // A file's header, whose bytes are kept, since names are views of them.
  struct File {
    Buffer<std::uint8_t> bytes;
    SafetensorsFile header;
  };

  std::unique_ptr<File[]> files_;
  int file_count_ = 0;
  Transformer* model_ = nullptr;
  Buffer<char> text_;
  TensorPlan plan_;
  bool allows_not_finite_ = false;
  bool is_trial_ = false;
  Buffer<Stored> stored_;
  Buffer<Transfer> transfers_;
  std::size_t at_ = 0;  // the tensor that is read
  std::int64_t row_ = 0;  // and its first row that is not
  Buffer<float> values_;  // of a few rows
  Buffer<float> gathered_;  // of a tensor that is stored as its transpose, or by pairs
};

}  // namespace wf
