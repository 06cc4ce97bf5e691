// How a model's tensors are read from the tensors of a file: other names, rows of a fused
// projection, transposed weights.
//
// A plan is text, one line for each of the model's tensors, with fields separated by tabs:
//   the model's name, the file's name (or several separated by |: the first that exists), flags,
//   first, block, stride, into
// Row r of the model's tensor is row  first + ⌊r / block⌋ · stride + r mod block  of the file's
// (the numbers of a vector count as rows). Block 0: all rows of the file's tensor. With `into`,
// these rows, one block of each stride, are a part of the model's tensor, starting at row `into`;
// the other parts are on other lines, in order. The flags are below. A line with an empty first
// field names tensors to skip: by the end (*.inv_freq) or the beginning (cls.*) of their names. A
// line with a single field is a prefix that the file's names may have. Every row of every tensor of
// the file must be read, all equally often, or be skipped.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tensor/buffer.h"

namespace wf {

class Transformer;

// Each flag with its letter, its name in bindings/ts/generated/fields.ts, and its member:
//   kTransposed  the file has the transpose, [in, out]
//   kAddsOne     add one to the numbers: Gemma's norms, x · (1 + w)
//   kPaired      in each block, the channels of a rotated pair are adjacent in the file (0, 1),
//                (2, 3), … and half a block apart in the model: queries and keys of Llama's GGUF
//                files
//   kSwapped     in each block, the halves are exchanged in the file: queries and keys of models
//                that rotate the other way
//   kFlat        the file's tensor has more dimensions than the model's: all of its numbers are the
//                vector; for a matrix, all dimensions after the first are joined
//   kListed     the file's tensor is a list of matrices, whose rows are the matrix, one after the
//                other; with kTransposed each of them is transposed
//   kCopy        both names are the file's; if the first exists, both must have equal numbers
#define WF_PLAN_FLAGS(X)                           \
  X(kTransposed, 'T', "transposed", is_transposed) \
  X(kAddsOne, '1', "addsOne", adds_one)            \
  X(kPaired, 'P', "paired", is_paired)             \
  X(kSwapped, 'S', "swapped", is_swapped)          \
  X(kFlat, 'F', "flat", is_flat)                   \
  X(kListed, 'L', "listed", is_listed)             \
  X(kCopy, '=', "copy", is_copy)

enum class PlanFlag : std::uint8_t {
#define WF_PLAN_FLAG(name, letter, word, member) name = letter,
  WF_PLAN_FLAGS(WF_PLAN_FLAG)
#undef WF_PLAN_FLAG
};

struct TensorSource {
  std::string_view target, source;
#define WF_PLAN_FLAG(name, letter, word, member) bool member = false;
  WF_PLAN_FLAGS(WF_PLAN_FLAG)
#undef WF_PLAN_FLAG
  bool is_part = false;  // the line has `into`
  int first = 0, block = 0, stride = 0, into = 0;

  std::int64_t row(int r) const {
    return block ? first + std::int64_t{r / block} * stride + r % block : r;
  }
  // Whether the rows of a block are in another order.
  bool is_reordered() const { return is_paired || is_swapped; }
  bool is_whole() const { return block == 0; }
  // Whether the line gives rows of this tensor of the model.
  bool is_for(std::string_view name) const { return target == name && !is_copy; }
};

class TensorPlan {
 public:
  // `text` must outlive the result. Errors: kInvalidArgument, with the line number; kOutOfMemory.
  static Result<TensorPlan> parse(std::string_view text);
  // Every tensor by its name; a stored copy of a tied head must be equal to the embedding.
  static Result<TensorPlan> of(const Transformer& model);

  std::span<const TensorSource> sources() const { return {sources_.data(), count_}; }
  std::string_view prefix() const { return prefix_; }
  bool passes_over(std::string_view name) const;

 private:
  bool matches(std::string_view pattern, std::string_view name) const;

  Buffer<TensorSource> sources_;  // an empty target means names to skip
  std::size_t count_ = 0;
  std::string_view prefix_;
};

}  // namespace wf
