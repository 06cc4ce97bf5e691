// From which tensors of a file a model's own are read: other names, rows of a fused projection,
// transposed weights.
//
// A plan is text, a line for each of the model's tensors, with tabs between
//   the model's name, the file's name (or several with | between: the first that is there), flags,
//   first, block, stride, into
// where row r of the model's tensor is row  first + ⌊r / block⌋ · stride + r mod block  of the
// file's (a vector's numbers are rows of one). Block 0: all of the file's rows. Where there is
// `into`, the file's tensor is all of a part of the model's vector, from its number `into` on, and
// other lines have the rest, in their order. Flags:
//   T  the file holds the transpose, [in, out]
//   1  one is added to what is read: Gemma's norms, x · (1 + w)
//   P  in each block, the channels of a rotated pair lie side by side in the file (0, 1), (2, 3), …
//      and half a block apart in the model: queries and keys of Llama's GGUF files
//   F  the file's tensor has more dimensions than the model's: a vector's numbers are all of
//      it, and of a matrix those after the first are one
//   =  both names are the file's, and must hold the same numbers if the first is there
// Lines with an empty first field say what to pass over: names that end (*.inv_freq) or begin
// (cls.*) so. A line of one field is a prefix that all of the file's names may have.
// Every row of every tensor of the file must be read, the one as often as the other, or be passed
// over.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tensor/buffer.h"

namespace wf {

class Transformer;

struct TensorSource {
  std::string_view target, source;
  bool is_transposed = false;
  bool adds_one = false;
  bool is_paired = false;
  bool is_flat = false;
  bool is_copy = false;  // flag "="
  bool is_part = false;  // there is `into`
  int first = 0, block = 0, stride = 0, into = 0;

  std::int64_t row(int r) const {
    return block ? first + std::int64_t{r / block} * stride + r % block : r;
  }
  bool is_whole() const { return block == 0; }
  // Whether rows for this tensor of the model are read here.
  bool is_for(std::string_view name) const { return target == name && !is_copy; }
};

class TensorPlan {
 public:
  // `text` must outlive the result. Errors: kInvalidArgument, with the number of the line;
  // kOutOfMemory.
  static Result<TensorPlan> parse(std::string_view text);
  // Every tensor under its own name, and a head beside a tied one where it is the same.
  static Result<TensorPlan> of(const Transformer& model);

  std::span<const TensorSource> sources() const { return {sources_.data(), count_}; }
  std::string_view prefix() const { return prefix_; }
  bool passes_over(std::string_view name) const;

 private:
  bool matches(std::string_view pattern, std::string_view name) const;

  Buffer<TensorSource> sources_;  // those of an empty target: names to pass over
  std::size_t count_ = 0;
  std::string_view prefix_;
};

}  // namespace wf
