#include "model/gguf.h"

#include <algorithm>
#include <cstring>

#include "model/gguf_blocks.h"

namespace wf {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
constexpr std::uint32_t kString = 8, kList = 9;
// Bytes of a value, by ggml's type number; 0 for types of variable size.
constexpr std::uint8_t kValueBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

Status malformed(const char* what, std::uint64_t position) {
  return Status::error(Code::kMalformedFile, "malformed GGUF file: %s at byte %.0f", what,
                       static_cast<double>(position));
}

Status malformed_tensor(const char* what, std::string_view name) {
  const std::string_view is = shown(name);
  return Status::error(Code::kMalformedFile, "malformed GGUF file: tensor %.*s %s",
                       static_cast<int>(is.size()), is.data(), what);
}

// The error for a type that cannot be read, with its name (if it has one) and ggml's number.
Status unread_type(const StoredTensor& tensor, std::uint32_t number) {
  const std::string_view is = shown(tensor.name);
  // Not the text of an unnamed type, whose address is null: GCC refuses that for %.*s.
  const std::string_view of = tensor.dtype_text.empty() ? "" : tensor.dtype_text;
  return WF_UNEXPECTED_AS(
      Code::kUnsupported, "tensor %.*s", "dtype %.*s%sggml's number %.0f%s",
      "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K, IQ4_NL or MXFP4",
      static_cast<int>(is.size()), is.data(), static_cast<int>(of.size()), of.data(),
      of.empty() ? "" : " (", static_cast<double>(number), of.empty() ? "" : ")");
}

// Reads bytes, never past the end; wants() returns the number of bytes that would be needed.
class Cursor {
 public:
  explicit Cursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t at() const { return at_; }
  // 0, or the number of bytes needed after a read past the end; reads return 0 from then on.
  std::uint64_t wants() const { return wants_; }

  bool skip(std::uint64_t count) {
    if (wants_) return false;
    const std::uint64_t left = bytes_.size() - at_;
    if (count > left) {
      wants_ = count > kMaxHeaderBytes ? kMaxHeaderBytes + 1 : at_ + count;
      return false;
    }
    at_ += count;
    return true;
  }
  template <class Number>
  Number number() {
    Number value = 0;
    const std::uint64_t from = at_;
    if (skip(sizeof(value))) std::memcpy(&value, bytes_.data() + from, sizeof(value));
    return value;
  }
  std::string_view text() {
    const auto length = number<std::uint64_t>();
    const std::uint64_t from = at_;
    if (!skip(length)) return {};
    return {reinterpret_cast<const char*>(bytes_.data()) + from, static_cast<std::size_t>(length)};
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t at_ = 0;
  std::uint64_t wants_ = 0;
};

struct Counts {
  std::uint64_t tensors = 0, entries = 0;
};

Status read_counts(Cursor& cursor, Counts& counts) {
  const auto magic = cursor.number<std::uint32_t>();
  if (magic != 0x46554747 && !cursor.wants()) return malformed("no \"GGUF\"", 0);
  const auto version = cursor.number<std::uint32_t>();
  counts.tensors = cursor.number<std::uint64_t>();
  counts.entries = cursor.number<std::uint64_t>();
  if (cursor.wants() || version == 2 || version == 3) return {};
  const std::uint32_t swapped = __builtin_bswap32(version);
  const bool is_swapped = swapped < version;
  return WF_UNEXPECTED_AS(
      Code::kUnsupported, "GGUF version", "%.0f%s", "2 or 3, little-endian",
      static_cast<double>(is_swapped ? swapped : version),
      is_swapped ? " with the greatest byte of a number first (big-endian)" : "");
}

// A whole number of any type; negative numbers wrap. 0 for other types and past the end.
std::uint64_t whole_number(Cursor& cursor, std::uint32_t type) {
  const auto read = [&](auto zero) {
    return static_cast<std::uint64_t>(std::int64_t{cursor.number<decltype(zero)>()});
  };
  switch (type) {
    case 0:
      return read(std::uint8_t{});
    case 1:
      return read(std::int8_t{});
    case 2:
      return read(std::uint16_t{});
    case 3:
      return read(std::int16_t{});
    case 4:
      return read(std::uint32_t{});
    case 5:
      return read(std::int32_t{});
    case 10:
    case 11:
      return read(std::int64_t{});
    default:
      cursor.skip(kValueBytes[type]);
      return 0;
  }
}

Status read_entry(Cursor& cursor, GgufEntry& entry, std::uint32_t& alignment) {
  const std::string_view key = cursor.text();
  entry.key_begin = cursor.at() - key.size();
  entry.key_bytes = key.size();
  entry.type = cursor.number<std::uint32_t>();
  entry.is_list = entry.type == kList;
  if (entry.is_list) {
    entry.type = cursor.number<std::uint32_t>();
    entry.count = cursor.number<std::uint64_t>();
  }
  if (cursor.wants()) return {};
  entry.begin = cursor.at();
  if (entry.type >= std::size(kValueBytes) || entry.type == kList)
    return malformed("a value of no known type", cursor.at());
  const bool is_alignment = key == "general.alignment";
  if (is_alignment && (entry.type == kString || entry.is_list))
    return malformed("a bad general.alignment", cursor.at());
  if (entry.type == kString) {
    // Each string takes at least eight bytes, so the loop ends for any count.
    for (std::uint64_t i = 0; i < entry.count && !cursor.wants(); ++i) cursor.text();
    return {};
  }
  if (entry.count > kMaxHeaderBytes) return malformed("a list too long", cursor.at());
  if (is_alignment) {
    const std::uint64_t said = whole_number(cursor, entry.type);
    if (!cursor.wants() && (said < 8 || said > 1 << 20 || (said & (said - 1))))
      return malformed("a bad general.alignment", cursor.at());
    alignment = static_cast<std::uint32_t>(said);
  } else {
    cursor.skip(entry.count * kValueBytes[entry.type]);
  }
  return {};
}

// `types` gets the first error about a type that cannot be read.
Status read_tensor(Cursor& cursor, StoredTensor& tensor, Status& types) {
  tensor.name = cursor.text();
  const auto dimensions = cursor.number<std::uint32_t>();
  if (dimensions > kMaxDimensions)
    return malformed_tensor("has more than 8 dimensions", tensor.name);
  tensor.dimensions = static_cast<int>(dimensions);
  std::uint64_t count = 1;
  for (int i = tensor.dimensions; i-- > 0;) {
    const auto extent = cursor.number<std::uint64_t>();
    // Prevents overflow of the product of two extents, and of the product with a block's bytes.
    if (extent > INT32_MAX || (extent && count > (std::uint64_t{1} << 50) / extent))
      return malformed_tensor("has an impossible shape", tensor.name);
    tensor.shape[i] = static_cast<std::int64_t>(extent);
    count *= extent;
  }
  const auto type = cursor.number<std::uint32_t>();
  tensor.begin = cursor.number<std::uint64_t>();
  if (cursor.wants()) return {};
  const DtypeInfo* info = gguf_dtype(type);
  if (!info) {
    // Of unknown size: treated as empty.
    tensor.dtype = Dtype::kOther;
    tensor.end = tensor.begin;
    if (types.ok()) types = unread_type(tensor, type);
    return {};
  }
  tensor.dtype = info->dtype;
  tensor.dtype_text = info->text;
  tensor.block = info->block;
  tensor.block_bytes = info->block_bytes;
  const std::int64_t last = tensor.dimensions ? tensor.shape[tensor.dimensions - 1] : 1;
  if (last % tensor.block) return malformed_tensor("has rows of no whole blocks", tensor.name);
  tensor.end = tensor.begin + count / tensor.block * tensor.block_bytes;
  if (tensor.end < tensor.begin) return malformed_tensor("lies nowhere", tensor.name);
  if (types.ok() && tensor.dtype == Dtype::kOther) types = unread_type(tensor, type);
  return {};
}

// Only counts if the pointers are null; otherwise writes.
Status read_header(Cursor& cursor, GgufEntry* entries, StoredTensor* tensors,
                   std::uint32_t& alignment, Status& types) {
  Counts counts;
  WF_RETURN_IF_ERROR(read_counts(cursor, counts));
  for (std::uint64_t i = 0; i < counts.entries && !cursor.wants(); ++i) {
    GgufEntry entry;
    WF_RETURN_IF_ERROR(read_entry(cursor, entry, alignment));
    if (entries) entries[i] = entry;
  }
  for (std::uint64_t i = 0; i < counts.tensors && !cursor.wants(); ++i) {
    StoredTensor tensor;
    WF_RETURN_IF_ERROR(read_tensor(cursor, tensor, types));
    if (tensors) tensors[i] = tensor;
  }
  return {};
}

Status check_offsets(const Buffer<StoredTensor>& tensors, std::uint64_t data_bytes,
                     std::uint32_t alignment) {
  Buffer<const StoredTensor*> sorted;
  WF_RETURN_IF_ERROR(sorted.reserve(tensors.size()));
  for (std::size_t i = 0; i < tensors.size(); ++i) sorted[i] = &tensors[i];
  WF_RETURN_IF_ERROR(check_names(sorted));
  sort_by_offset(sorted);
  std::uint64_t covered = 0;
  for (const StoredTensor* tensor : sorted) {
    if (tensor->begin % alignment) return malformed_tensor("is not aligned", tensor->name);
    if (tensor->begin < covered) return malformed_tensor("overlaps another", tensor->name);
    covered = tensor->end;
    if (covered > data_bytes)
      return malformed_tensor("reaches past the end of the file, which may be cut", tensor->name);
  }
  return {};
}

}  // namespace

Result<GgufFile> GgufFile::parse(std::span<const std::uint8_t> beginning,
                                 std::uint64_t file_bytes) {
  GgufFile file;
  std::uint32_t alignment = 32;
  Cursor counting(beginning);
  WF_RETURN_IF_ERROR(read_header(counting, nullptr, nullptr, alignment, file.types_));
  if (const std::uint64_t wants = counting.wants()) {
    if (wants > file_bytes || wants > kMaxHeaderBytes)
      return malformed("the header ends early", beginning.size());
    // Doubles the request each time, so that all attempts together read at most twice the header.
    file.needed_ = std::max(wants, std::min<std::uint64_t>(2 * beginning.size(), file_bytes));
    return file;
  }
  Cursor counted(beginning);
  Counts counts;
  WF_RETURN_IF_ERROR(read_counts(counted, counts));
  // Each entry takes bytes of the header, so the counts are bounded by its size.
  WF_RETURN_IF_ERROR(file.entries_.reserve(static_cast<std::size_t>(counts.entries)));
  WF_RETURN_IF_ERROR(file.tensors_.reserve(static_cast<std::size_t>(counts.tensors)));
  Cursor cursor(beginning);
  WF_RETURN_IF_ERROR(
      read_header(cursor, file.entries_.data(), file.tensors_.data(), alignment, file.types_));
  file.data_ = (cursor.at() + alignment - 1) / alignment * alignment;
  const std::uint64_t data_bytes = file_bytes > file.data_ ? file_bytes - file.data_ : 0;
  WF_RETURN_IF_ERROR(check_offsets(file.tensors_, data_bytes, alignment));
  return file;
}

}  // namespace wf
