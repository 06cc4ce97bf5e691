#include "calls/reader.h"

#include <algorithm>

#include "kernels/dot.h"

namespace wf::calls {
namespace {

constexpr std::int32_t kMaxPosition = (1 << 30) - 1;

Status not_in_memory(const char* name, List given) {
  return WF_UNEXPECTED("%s", "%d elements outside the engine's memory", "elements inside it", name,
                       given.length);
}

// The product; -1 if a size is below `min`, or NaN.
double product_of(std::initializer_list<double> sizes, double min) {
  double product = 1;
  for (const double size : sizes) {
    if (!(size >= min)) return -1;
    product *= size;
  }
  return product;
}

}  // namespace

Result<std::size_t> count_of(std::initializer_list<double> sizes) {
  const double count = product_of(sizes, 0);
  if (count < 0) return Status::error(Code::kInvalidArgument, "a size is below 0");
  if (!(count * sizeof(float) <= static_cast<double>(INT32_MAX)))
    return Status::error(Code::kOutOfMemory, "out of memory: %.0f numbers asked for", count);
  return static_cast<std::size_t>(count);
}

Status check_range(const char* name, double value, double min, double max) {
  if (value >= min && value <= max) return {};
  return WF_UNEXPECTED("%s", "%.0f", "%.0f to %.0f", name, value, min, max);
}

Result<std::uint64_t> seed_of(double seed) {
  constexpr double kMax = 9007199254740991;  // 2^53 - 1
  WF_RETURN_IF_ERROR(check_range("seed", seed, 0, kMax));
  return static_cast<std::uint64_t>(seed);
}

void* Reader::in_block(const char* name, List given, std::size_t element_size) {
  if (!status_.ok() || given.length == 0) return nullptr;
  const std::uint64_t bytes = std::uint64_t{element_size} * static_cast<unsigned>(given.length);
  const bool fits = given.length > 0 && given.address % element_size == 0 &&
                    workspace_.holds(given.address, bytes) && read_count_ < kMaxRead;
  if (!fits) {
    refuse(not_in_memory(name, given));
    return nullptr;
  }
  read_[read_count_++] = {given.address, bytes};
  return reinterpret_cast<void*>(given.address);
}

void Reader::forbid_overlap(const char* name, List given, std::size_t element_size) {
  const std::size_t length = length_of(given);
  // The last list is the result.
  for (int i = 0; length && i + 1 < read_count_; ++i) {
    const bool is_apart = read_[i].first >= given.address + length * element_size ||
                          given.address >= read_[i].first + read_[i].bytes;
    if (is_apart) continue;
    refuse(Status::error(Code::kInvalidArgument, "%s: overlaps an input", name));
  }
}

void Reader::check_count(const char* name, List given, std::initializer_list<double> sizes) {
  const double count = product_of(sizes, 1);
  if (count == given.length) return;
  refuse(WF_UNEXPECTED("%s", "%d numbers", "%.0f, the product of its sizes", name, given.length,
                       count));
}

const float* Reader::floats(const char* name, List given, std::initializer_list<double> sizes) {
  check_count(name, given, sizes);
  const std::uint64_t bytes = sizeof(float) * std::uint64_t{length_of(given)};
  if (bytes && given.address % sizeof(float) == 0 && !workspace_.holds(given.address, bytes) &&
      workspace_.tensor_at(given.address, bytes))
    return reinterpret_cast<const float*>(given.address);
  return static_cast<const float*>(in_block(name, given, sizeof(float)));
}

Positions Reader::positions(const char* name, List given, int count) {
  const int axes = count > 0 ? given.length / count : 0;
  if (axes < 1 || axes > kMaxPositionAxes || axes * count != given.length)
    refuse(WF_UNEXPECTED("%s", "%d numbers", "one for each of %d tokens and each axis", name,
                         given.length, count));
  const auto numbers = integers(name, given);
  std::int32_t min = 0, max = 0;
  for (const std::int32_t number : numbers) {
    min = std::min(min, number);
    max = std::max(max, number);
  }
  if (min < -kMaxPosition || max > kMaxPosition)
    refuse(WF_UNEXPECTED("%s", "%d", "%d to %d", name, min < -kMaxPosition ? min : max,
                         -kMaxPosition, kMaxPosition));
  return {numbers.data(), count, axes};
}

void Reader::forbid_not_finite(List given, bool allow_minus_infinity) {
  const std::size_t length = length_of(given);
  const std::uint64_t bytes = sizeof(float) * std::uint64_t{length};
  if (!length) return;
  bool is_fine = true;
  if (workspace_.holds(given.address, bytes)) {
    is_fine =
        all_finite(reinterpret_cast<const float*>(given.address), length, allow_minus_infinity);
  } else if (!allow_minus_infinity) {
    const Workspace::TensorNumbers* tensor = workspace_.tensor_at(given.address, bytes);
    is_fine = !tensor || !tensor->hides;
  }
  if (!is_fine) refuse(WF_UNEXPECTED("input", "NaN or infinity", "finite numbers"));
}

}  // namespace wf::calls
