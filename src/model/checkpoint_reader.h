// Reads a model's weights from one or several safetensors files (shards), piece by piece: next()
// says which bytes of which file are needed, in the files' order, and the caller passes them to
// give(). Besides the model's weights only one piece and the files' headers are in memory.
//
// All tensors are checked by the headers before the first piece is requested; numbers are checked
// as they arrive.
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

  // Errors: kInvalidArgument if the count is not 1 to kMaxFiles.
  static Result<CheckpointReader> make(int files);

  // Adds the beginning of a file of `file_bytes` bytes. Returns how many bytes from the beginning
  // of the file it needs (known from the first eight), or 0 if these suffice; it then keeps a copy.
  // Errors: kMalformedFile, kUnsupported, kOutOfMemory.
  Result<std::uint64_t> add(int file, std::span<const std::uint8_t> beginning,
                            std::uint64_t file_bytes);

  // Starts to read into the model, which must outlive the reader, according to a plan (text), or by
  // the model's tensor names if that is empty. A trial reads everything and writes nothing. Errors:
  // kMalformedFile with the name of a tensor that is missing, unknown or of another shape;
  // kUnsupported for a dtype that cannot be read; kInvalidArgument for an invalid plan.
  Status begin(Transformer& model, std::string_view plan, bool allow_not_finite,
               bool is_trial = false);

  Piece next() const;
  // Takes the bytes of next(). Errors: kMalformedFile for a number that is not finite, unless that
  // is allowed; kUnsupported for a stored head that differs from the embedding to which it is tied;
  // kInvalidArgument for another number of bytes. After an error the model is partly filled.
  Status give(std::span<const std::uint8_t> bytes);

 private:
  // Rows of a file's tensor to be written to a tensor of the model; the numbers of a vector count
  // as rows.
  struct Transfer {
    const TensorInfo* info = nullptr;
    const TensorSource* source = nullptr;
    const StoredTensor* stored = nullptr;

    bool is_vector() const { return info->dimensions == 1; }
    bool is_flat() const { return is_vector() && source->is_flat; }
    // Rows this entry reads: all rows of the model tensor; for a partial entry, of the file tensor,
    // or one block of each stride.
    std::int64_t rows() const {
      if (!source->is_part) return all_rows();
      return source->is_whole() ? stored_rows() : stored_rows() / source->stride * source->block;
    }
    int all_rows() const { return is_vector() ? info->columns : info->rows; }
    int columns() const { return is_vector() ? 1 : info->columns; }
    // Rows of the file's tensor.
    std::int64_t stored_rows() const {
      if (is_flat()) return static_cast<std::int64_t>(stored->count());
      const std::int64_t outer = source->is_listed ? stored->shape[0] : 1;
      const int inner = source->is_listed ? 1 : 0;
      return outer * (source->is_transposed ? stored->count_from(inner + 1) : stored->shape[inner]);
    }
  };
  // A tensor of the files, in the files' order.
  struct Stored {
    const StoredTensor* tensor = nullptr;
    int file = 0;
    std::int64_t rows_read = 0;
    bool is_transposed = false;
    bool is_reordered = false;
    bool is_flat = false;
    bool is_listed = false;
    bool is_compared = false;
    // Content hash, to compare two tensors.
    std::uint64_t hash = 0;

    std::int64_t rows() const {
      if (is_flat) return static_cast<std::int64_t>(tensor->count());
      if (is_listed) return tensor->shape[0] * tensor->shape[1];
      return tensor->dimensions == 0 ? 1 : tensor->shape[0];
    }
    std::size_t columns() const {
      return rows() ? tensor->count() / static_cast<std::size_t>(rows()) : 0;
    }
    // Rows after transposing.
    std::int64_t gathered_rows() const {
      const std::int64_t row = static_cast<std::int64_t>(columns());
      return !is_transposed ? rows() : is_listed ? tensor->shape[0] * row : row;
    }
    // Whether the tensor must be complete before its rows can be written.
    bool is_gathered() const { return is_transposed || is_reordered; }
    std::size_t row_bytes() const { return columns() / tensor->block * tensor->block_bytes; }
  };

  Status order_tensors();
  Status remove_wrappers();
  Status foreign(std::string_view names) const;
  Status find_transfers(const ParameterTable& table);
  Status check_transfers();
  Status check_shape(const Transfer& transfer) const;
  Status check_copies();
  Status compare_copies() const;
  Status check_rest() const;
  Stored* find(std::string_view names);
  Stored* find_one(std::string_view name);
  Stored* find_named(std::string_view first, std::string_view rest);
  bool is_wanted(const Stored& stored) const { return stored.rows_read > 0; }
  std::int64_t rows_of_piece() const;
  void skip_unread();
  Status take_rows(Stored& stored, std::int64_t first, int count, const std::uint8_t* bytes);
  void gather(const Stored& stored, std::int64_t first, int count);
  Status write(const Stored& stored, std::int64_t first, int count, float* values);
  Status write(const Transfer& transfer, std::int64_t first, int count, const float* values);

  // A file's header; its bytes are kept, since names are views of them.
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
  Buffer<const StoredTensor*> by_name_;
  Buffer<Transfer> transfers_;
  std::size_t at_ = 0;  // index of the current tensor
  std::int64_t row_ = 0;  // its first row that has not been read
  Buffer<float> values_;  // memory for a few rows
  Buffer<float> gathered_;  // memory for a tensor that is_gathered
};

}  // namespace wf
