#include "model/safetensors.h"

#include <algorithm>
#include <cstring>

#include "model/float16.h"
#include "model/json_cursor.h"

namespace wf {
namespace {

constexpr std::uint64_t kMostHeaderBytes = 100'000'000;  // the reference reader's own limit
constexpr std::size_t kLengthBytes = 8;

Status malformed(const char* what, std::size_t position) {
  return Status::error(Code::kMalformedFile, "malformed safetensors file: %s at header byte %zu",
                       what, position);
}

Status malformed_tensor(const char* what, std::string_view name) {
  return Status::error(Code::kMalformedFile, "malformed safetensors file: tensor %.*s %s",
                       static_cast<int>(std::min<std::size_t>(name.size(), 100)), name.data(),
                       what);
}

Status unsupported_dtype(const StoredTensor& tensor) {
  const std::string_view name = tensor.name, text = tensor.dtype_text;
  return Status::error(Code::kUnsupported, "tensor %.*s has dtype %.*s; allowed: F32, F16, BF16",
                       static_cast<int>(std::min<std::size_t>(name.size(), 100)), name.data(),
                       static_cast<int>(std::min<std::size_t>(text.size(), 16)), text.data());
}

Status parse_dtype(StoredTensor& tensor) {
  struct Known {
    std::string_view text;
    Dtype dtype;
    int bytes;
  };
  static constexpr Known kKnown[] = {
      {"F32", Dtype::kF32, 4},       {"F16", Dtype::kF16, 2},       {"BF16", Dtype::kBF16, 2},
      {"F64", Dtype::kOther, 8},     {"I64", Dtype::kOther, 8},     {"U64", Dtype::kOther, 8},
      {"I32", Dtype::kOther, 4},     {"U32", Dtype::kOther, 4},     {"I16", Dtype::kOther, 2},
      {"U16", Dtype::kOther, 2},     {"I8", Dtype::kOther, 1},      {"U8", Dtype::kOther, 1},
      {"F8_E4M3", Dtype::kOther, 1}, {"F8_E5M2", Dtype::kOther, 1}, {"BOOL", Dtype::kOther, 1}};
  for (const Known& known : kKnown) {
    if (tensor.dtype_text != known.text) continue;
    tensor.dtype = known.dtype;
    tensor.element_bytes = known.bytes;
    return {};
  }
  return unsupported_dtype(tensor);
}

// Counts when it has nowhere to write, else writes.
struct Sink {
  StoredTensor* tensors = nullptr;
  MetadataPair* metadata = nullptr;
  std::size_t tensor_count = 0;
  std::size_t metadata_count = 0;

  void add(const StoredTensor& tensor) {
    if (tensors) tensors[tensor_count] = tensor;
    ++tensor_count;
  }
  void add(const MetadataPair& pair) {
    if (metadata) metadata[metadata_count] = pair;
    ++metadata_count;
  }
};

Status parse_metadata(JsonCursor& cursor, Sink& sink) {
  if (!cursor.expect('{')) return malformed("__metadata__ is not an object", cursor.position());
  if (cursor.expect('}')) return {};
  do {
    MetadataPair pair;
    if (!cursor.string(pair.key) || !cursor.expect(':') || !cursor.string(pair.value))
      return malformed("__metadata__ is not made of strings", cursor.position());
    sink.add(pair);
  } while (cursor.expect(','));
  if (!cursor.expect('}')) return malformed("an unfinished __metadata__", cursor.position());
  return {};
}

Status parse_shape(JsonCursor& cursor, StoredTensor& tensor) {
  if (!cursor.expect('[')) return malformed("shape is not a list", cursor.position());
  if (cursor.expect(']')) return {};
  do {
    std::uint64_t extent = 0;
    if (!cursor.natural(extent)) return malformed("a bad extent in shape", cursor.position());
    if (tensor.dimensions == kMostDimensions)
      return malformed("more than 8 dimensions", cursor.position());
    tensor.shape[tensor.dimensions++] = static_cast<std::int64_t>(extent);
  } while (cursor.expect(','));
  if (!cursor.expect(']')) return malformed("an unfinished shape", cursor.position());
  return {};
}

Status parse_tensor(JsonCursor& cursor, StoredTensor& tensor) {
  bool has_dtype = false, has_shape = false, has_offsets = false;
  if (!cursor.expect('{')) return malformed("a tensor is not an object", cursor.position());
  do {
    std::string_view key;
    if (!cursor.string(key) || !cursor.expect(':'))
      return malformed("a bad key of a tensor", cursor.position());
    if (key == "dtype" && !has_dtype) {
      if (!cursor.string(tensor.dtype_text)) return malformed("a bad dtype", cursor.position());
      WF_RETURN_IF_ERROR(parse_dtype(tensor));
      has_dtype = true;
    } else if (key == "shape" && !has_shape) {
      WF_RETURN_IF_ERROR(parse_shape(cursor, tensor));
      has_shape = true;
    } else if (key == "data_offsets" && !has_offsets) {
      if (!cursor.expect('[') || !cursor.natural(tensor.begin) || !cursor.expect(',') ||
          !cursor.natural(tensor.end) || !cursor.expect(']'))
        return malformed("bad data_offsets", cursor.position());
      has_offsets = true;
    } else {
      return malformed("an unknown or repeated key of a tensor", cursor.position());
    }
  } while (cursor.expect(','));
  if (!cursor.expect('}')) return malformed("an unfinished tensor", cursor.position());
  if (!has_dtype || !has_shape || !has_offsets)
    return malformed_tensor("lacks dtype, shape or data_offsets", tensor.name);
  return {};
}

Status parse_header(std::string_view text, Sink& sink) {
  JsonCursor cursor(text);
  if (!cursor.expect('{')) return malformed("no header object", cursor.position());
  bool has_metadata = false;
  if (!cursor.peek('}')) {
    do {
      StoredTensor tensor;
      if (!cursor.string(tensor.name) || !cursor.expect(':'))
        return malformed("a bad key", cursor.position());
      if (tensor.name == "__metadata__") {
        if (has_metadata) return malformed("a second __metadata__", cursor.position());
        has_metadata = true;
        WF_RETURN_IF_ERROR(parse_metadata(cursor, sink));
      } else {
        WF_RETURN_IF_ERROR(parse_tensor(cursor, tensor));
        sink.add(tensor);
      }
    } while (cursor.expect(','));
  }
  if (!cursor.expect('}')) return malformed("an unfinished header", cursor.position());
  if (!cursor.at_end()) return malformed("text after the header object", cursor.position());
  return {};
}

// shape · bytes of the dtype must be the bytes claimed.
Status check_extent(const StoredTensor& tensor) {
  if (tensor.begin > tensor.end) return malformed_tensor("ends before it begins", tensor.name);
  const std::uint64_t bytes = tensor.end - tensor.begin;
  auto expected = static_cast<std::uint64_t>(tensor.element_bytes);
  for (int i = 0; i < tensor.dimensions; ++i) {
    const auto extent = static_cast<std::uint64_t>(tensor.shape[i]);
    if (extent != 0 && expected > ~std::uint64_t{0} / extent)
      return malformed_tensor("has an impossible shape", tensor.name);
    expected *= extent;
  }
  if (expected != bytes)
    return malformed_tensor("has offsets that do not fit its shape", tensor.name);
  return {};
}

// The index of the first number whose exponent is all ones, which NaN and infinities have; `count`
// where there is none. Block by block, so that a compiler may look at many at once.
template <class Word>
std::size_t first_not_finite(const std::uint8_t* source, std::size_t count, Word exponent) {
  const auto at = [&](std::size_t i) {
    Word word;
    std::memcpy(&word, source + i * sizeof(Word), sizeof(Word));
    return (word & exponent) == exponent;
  };
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

// By heap, for any order: a fifth of std::sort's code, and once.
void sort(Buffer<const StoredTensor*>& tensors,
          bool (*comes_first)(const StoredTensor*, const StoredTensor*)) {
  std::partial_sort(tensors.begin(), tensors.end(), tensors.end(), comes_first);
}

// Tensors must fill the data part exactly, each byte once, each name once.
Status check_coverage(const Buffer<StoredTensor>& tensors, std::uint64_t data_bytes) {
  Buffer<const StoredTensor*> sorted;
  WF_RETURN_IF_ERROR(sorted.reserve(tensors.size()));
  for (std::size_t i = 0; i < tensors.size(); ++i) sorted[i] = &tensors[i];
  sort(sorted, [](const StoredTensor* a, const StoredTensor* b) { return a->name < b->name; });
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->name == sorted[i - 1]->name)
      return malformed_tensor("stands there twice", sorted[i]->name);
  sort(sorted, [](const StoredTensor* a, const StoredTensor* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
  });
  std::uint64_t covered = 0;
  for (const StoredTensor* tensor : sorted) {
    if (tensor->begin != covered)
      return malformed_tensor("leaves a gap or overlaps another", tensor->name);
    covered = tensor->end;
  }
  if (covered != data_bytes) {
    return Status::error(Code::kMalformedFile,
                         "malformed safetensors file: %.0f bytes of data; the header claims %.0f",
                         static_cast<double>(data_bytes), static_cast<double>(covered));
  }
  return {};
}

}  // namespace

std::size_t dtype_bytes(Dtype dtype) { return dtype == Dtype::kF32 ? 4 : 2; }

Status StoredTensor::check_dtype() const {
  return dtype == Dtype::kOther ? unsupported_dtype(*this) : Status();
}

Result<SafetensorsFile> SafetensorsFile::parse(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kLengthBytes) {
    return Status::error(Code::kMalformedFile, "malformed safetensors file: %zu bytes in all",
                         bytes.size());
  }
  std::uint64_t header_bytes = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    header_bytes |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  if (header_bytes > kMostHeaderBytes || header_bytes > bytes.size() - kLengthBytes) {
    return Status::error(Code::kMalformedFile,
                         "malformed safetensors file: a header of %.0f bytes in a file of %.0f",
                         static_cast<double>(header_bytes), static_cast<double>(bytes.size()));
  }
  const auto length = static_cast<std::size_t>(header_bytes);
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);

  SafetensorsFile file;
  file.data_ = bytes.subspan(kLengthBytes + length);
  Sink counts;
  WF_RETURN_IF_ERROR(parse_header(header, counts));
  WF_RETURN_IF_ERROR(file.tensors_.reserve(counts.tensor_count));
  WF_RETURN_IF_ERROR(file.metadata_.reserve(counts.metadata_count));
  Sink sink{file.tensors_.data(), file.metadata_.data()};
  WF_RETURN_IF_ERROR(parse_header(header, sink));
  for (const StoredTensor& tensor : file.tensors_) WF_RETURN_IF_ERROR(check_extent(tensor));
  WF_RETURN_IF_ERROR(check_coverage(file.tensors_, file.data_.size()));
  return file;
}

const StoredTensor* SafetensorsFile::find(std::string_view name) const {
  for (const StoredTensor& tensor : tensors_)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

std::string_view SafetensorsFile::metadata_value(std::string_view key) const {
  for (const MetadataPair& pair : metadata_)
    if (pair.key == key) return pair.value;
  return {};
}

bool SafetensorsFile::are_same(const StoredTensor& a, const StoredTensor& b) const {
  if (a.dtype != b.dtype || a.dimensions != b.dimensions) return false;
  for (int i = 0; i < a.dimensions; ++i)
    if (a.shape[i] != b.shape[i]) return false;
  const std::size_t bytes = static_cast<std::size_t>(a.end - a.begin);
  return bytes == 0 || std::memcmp(data_.data() + a.begin, data_.data() + b.begin, bytes) == 0;
}

Status SafetensorsFile::check_finite(const StoredTensor& tensor) const {
  const std::uint8_t* source = data_.data() + tensor.begin;
  const std::size_t count = tensor.count();
  const std::size_t found = tensor.dtype == Dtype::kF32
                                ? first_not_finite<std::uint32_t>(source, count, 0x7f800000)
                                : first_not_finite<std::uint16_t>(
                                      source, count, tensor.dtype == Dtype::kF16 ? 0x7c00 : 0x7f80);
  if (found == count) return {};
  return Status::error(
      Code::kMalformedFile, "tensor %.*s has NaN or infinity at %zu; allowed are finite numbers",
      static_cast<int>(std::min<std::size_t>(tensor.name.size(), 100)), tensor.name.data(), found);
}

void SafetensorsFile::read(const StoredTensor& tensor, std::size_t first, std::size_t count,
                           float* values) const {
  if (tensor.dtype == Dtype::kOther) {
    std::fill_n(values, count, 0.0f);
    return;
  }
  const std::uint8_t* source =
      data_.data() + tensor.begin + first * static_cast<std::size_t>(tensor.element_bytes);
  if (tensor.dtype == Dtype::kF32) {
    if (count) std::memcpy(values, source, count * sizeof(float));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t word;
    std::memcpy(&word, source + 2 * i, sizeof(word));
    values[i] = tensor.dtype == Dtype::kF16 ? float_from_half(word) : float_from_bfloat(word);
  }
}

}  // namespace wf
