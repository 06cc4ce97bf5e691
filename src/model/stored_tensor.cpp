#include "model/stored_tensor.h"

#include <algorithm>
#include <cstring>

namespace wf {

std::string_view shown(std::string_view name) { return name.substr(0, 100); }

bool StoredTensor::has_shape_of(const StoredTensor& other) const {
  return dimensions == other.dimensions && std::equal(shape, shape + dimensions, other.shape);
}

Status StoredTensor::check_dtype() const {
  if (dtype != Dtype::kOther) return {};
  const std::string_view is = shown(name), of = dtype_text.substr(0, 16);
  return WF_UNEXPECTED_AS(Code::kUnsupported, "tensor %.*s", "dtype %.*s", "F32, F16 or BF16",
                          static_cast<int>(is.size()), is.data(), static_cast<int>(of.size()),
                          of.data());
}

namespace {

// Heap sort for any order: a fifth of the code of std::sort, and only one copy.
void sort(Buffer<const StoredTensor*>& tensors,
          bool (*comes_first)(const StoredTensor*, const StoredTensor*)) {
  std::partial_sort(tensors.begin(), tensors.end(), tensors.end(), comes_first);
}

}  // namespace

void sort_by_offset(Buffer<const StoredTensor*>& tensors) {
  sort(tensors, [](const StoredTensor* a, const StoredTensor* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
}

Status check_names(Buffer<const StoredTensor*>& tensors) {
  sort(tensors, [](const StoredTensor* a, const StoredTensor* b) { return a->name < b->name; });
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    if (tensors[i]->name != tensors[i - 1]->name) continue;
    const std::string_view name = shown(tensors[i]->name);
    return Status::error(Code::kMalformedFile, "malformed file: tensor %.*s appears twice",
                         static_cast<int>(name.size()), name.data());
  }
  return {};
}

std::size_t first_not_finite(const void* floats, std::size_t count) {
  const auto* bytes = static_cast<const std::uint8_t*>(floats);
  const auto at = [&](std::size_t i) {
    std::uint32_t bits;
    std::memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));
    return (bits & 0x7f800000u) == 0x7f800000u;
  };
  // In blocks, so that the compiler can vectorise the loop.
  constexpr std::size_t kBlock = 1024;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t end = std::min(first + kBlock, count);
    bool is_found = false;
    for (std::size_t i = first; i < end; ++i) is_found |= at(i);
    if (!is_found) continue;
    while (!at(first)) ++first;
    return first;
  }
  return count;
}

Status not_finite(const StoredTensor& tensor, std::size_t index) {
  const std::string_view name = shown(tensor.name);
  return WF_UNEXPECTED_AS(Code::kMalformedFile, "tensor %.*s", "NaN or infinity at %zu",
                          "finite numbers", static_cast<int>(name.size()), name.data(), index);
}

}  // namespace wf
