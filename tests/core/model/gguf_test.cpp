#include "model/gguf.h"

#include <doctest/doctest.h>

#include <string>

#include "core/model/gguf_bytes.h"

namespace wf {
namespace {

using testing::GgufBytes;

constexpr std::uint32_t kF32 = 0, kQ4_0 = 2;  // types of tensors
constexpr std::uint32_t kU32 = 4, kF32Value = 6, kText = 8, kList = 9;  // types of keys

GgufBytes good_file() {
  GgufBytes file;
  file.begin(2, 3);
  file.text("a.number").number(kU32).number<std::uint32_t>(7);
  file.text("a.list").number(kList).number(kText).number<std::uint64_t>(2).text("x").text("yz");
  file.text("a.text").number(kText).text("seven");
  file.tensor("one", {4}, kF32, 0).tensor("two", {64, 2}, kQ4_0, 32);
  file.pad();
  file.bytes.resize(file.bytes.size() + 32 + 4 * 18);
  return file;
}

Result<GgufFile> parsed(const GgufBytes& file) {
  return GgufFile::parse(file.bytes, file.bytes.size());
}

void check_refused(const GgufBytes& file, const char* what, Code code = Code::kMalformedFile) {
  const auto result = parsed(file);
  CAPTURE(what);
  REQUIRE(!result.ok());
  CAPTURE(result.status().message());
  CHECK(result.status().code() == code);
  CHECK(std::string(result.status().message()).find(what) != std::string::npos);
}

}  // namespace

TEST_CASE("A GGUF head says keys, types, places and shapes in PyTorch's order") {
  const GgufBytes file = good_file();
  const auto result = parsed(file);
  REQUIRE_MESSAGE(result.ok(), result.status().message());
  const GgufFile& head = result.value();
  CHECK(head.needed() == 0);
  REQUIRE(head.tensors().size() == 2);
  const StoredTensor& two = head.tensors()[1];
  CHECK(two.name == "two");
  CHECK(two.dtype == Dtype::kQ4_0);
  CHECK(two.dimensions == 2);
  CHECK(two.shape[0] == 2);
  CHECK(two.shape[1] == 64);
  CHECK(two.count() == 128);
  CHECK(two.end - two.begin == 4 * 18);
  CHECK(head.data() + two.end == file.bytes.size());
  REQUIRE(head.entries().size() == 3);
  const auto key = [&](const GgufEntry& entry) {
    return std::string(
        file.bytes.begin() + static_cast<std::ptrdiff_t>(entry.key_begin),
        file.bytes.begin() + static_cast<std::ptrdiff_t>(entry.key_begin + entry.key_bytes));
  };
  CHECK(key(head.entries()[0]) == "a.number");
  CHECK(file.bytes[head.entries()[0].begin] == 7);
  CHECK(head.entries()[1].is_list);
  CHECK(head.entries()[1].count == 2);
  CHECK(head.entries()[1].type == kText);
  CHECK(key(head.entries()[2]) == "a.text");
}

TEST_CASE("Of a head that is cut anywhere, the bytes that it needs are asked for, and never more") {
  const GgufBytes file = good_file();
  const std::uint64_t whole = parsed(file).value().data();
  for (std::size_t length = 4; length < whole; ++length) {
    const auto result = GgufFile::parse({file.bytes.data(), length}, file.bytes.size());
    REQUIRE(result.ok());
    const std::uint64_t needed = result.value().needed();
    // Padding after the header may be missing, because it has no content.
    if (needed == 0) continue;
    CHECK(needed > length);
    CHECK(needed <= file.bytes.size());
    // A file that ends there.
    GgufBytes cut;
    cut.bytes.assign(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(length));
    check_refused(cut, "the header ends early");
  }
}

TEST_CASE("A GGUF file that lies about sizes, types or places is refused") {
  check_refused(GgufBytes().begin(0, 0, 1), "GGUF version: 1", Code::kUnsupported);
  check_refused(GgufBytes().begin(0, 0, 0x03000000), "GGUF version: 3 with the greatest byte",
                Code::kUnsupported);
  check_refused(GgufBytes().begin(~0ull, 0), "the header ends early");
  check_refused(GgufBytes().begin(0, ~0ull), "the header ends early");
  check_refused(GgufBytes().begin(0, 1).number(~0ull), "the header ends early");
  const auto entry = [](std::uint32_t type) {
    GgufBytes file;
    file.begin(0, 1).text("k").number(type);
    return file;
  };
  check_refused(entry(13).number(0ull), "a value of no known type");
  check_refused(entry(kList).number(kList).number(1ull), "a value of no known type");
  check_refused(entry(kList).number(kU32).number(~0ull), "a list too long");
  check_refused(entry(kList).number(kText).number(~0ull), "the header ends early");
  check_refused(GgufBytes().begin(0, 1).text("general.alignment").number(kU32).number(0u),
                "a bad general.alignment");
  check_refused(GgufBytes().begin(0, 1).text("general.alignment").number(kU32).number(48u),
                "a bad general.alignment");
  for (const std::uint32_t type : {kText, kList, kF32Value}) {
    GgufBytes file;
    file.begin(0, 1).text("general.alignment").number(type);
    if (type == kList) file.number(kU32).number(1ull);
    if (type == kText)
      file.text("32");
    else
      file.number(32u);
    check_refused(file, "a bad general.alignment");
  }
  const auto tensors = [](std::uint64_t count, auto add) {
    GgufBytes file;
    file.begin(count, 0);
    add(file);
    file.pad();
    file.bytes.resize(file.bytes.size() + 64);
    return file;
  };
  const auto one = [&](const std::vector<std::uint64_t>& extents, std::uint32_t type,
                       std::uint64_t offset) {
    return tensors(1, [&](GgufBytes& file) { file.tensor("t", extents, type, offset); });
  };
  CHECK(parsed(one({16}, kF32, 0)).ok());
  CHECK(parsed(one({}, kF32, 0)).ok());
  CHECK(parsed(one({0}, kF32, 0)).ok());
  check_refused(one({17}, kF32, 0), "reaches past the end");
  check_refused(one({16}, kF32, 32), "reaches past the end");
  check_refused(one({16}, kF32, ~0ull - 31), "lies nowhere");
  check_refused(one({1}, kF32, 4), "is not aligned");
  check_refused(one({16}, kQ4_0, 0), "has rows of no whole blocks");
  check_refused(one({1ull << 31, 1}, kF32, 0), "has an impossible shape");
  check_refused(one({1 << 30, 1 << 30}, kF32, 0), "has an impossible shape");
  check_refused(one({1, 1, 1, 1, 1, 1, 1, 1, 1}, kF32, 0), "has more than 8 dimensions");
  check_refused(tensors(2, [](GgufBytes& f) { f.tensor("t", {1}, 0, 0).tensor("t", {1}, 0, 32); }),
                "appears twice");
  check_refused(tensors(2, [](GgufBytes& f) { f.tensor("t", {9}, 0, 0).tensor("u", {1}, 0, 32); }),
                "overlaps another");
}

TEST_CASE("An alignment is read from a whole number of any type") {
  const auto aligned = [](std::uint32_t type, auto number) {
    GgufBytes file;
    file.begin(1, 1).text("general.alignment").number(type).number(number);
    file.tensor("t", {1}, kF32, 0).pad(64);
    file.bytes.resize(file.bytes.size() + 64);
    return parsed(file);
  };
  const auto data = [&](std::uint32_t type, auto number) {
    const auto result = aligned(type, number);
    REQUIRE_MESSAGE(result.ok(), result.status().message());
    return result.value().data() % 64;
  };
  CHECK(data(0, std::uint8_t{64}) == 0);
  CHECK(data(1, std::int8_t{64}) == 0);
  CHECK(data(2, std::uint16_t{64}) == 0);
  CHECK(data(3, std::int16_t{64}) == 0);
  CHECK(data(5, std::int32_t{64}) == 0);
  CHECK(data(10, std::uint64_t{64}) == 0);
  CHECK(data(11, std::int64_t{64}) == 0);
  CHECK(!aligned(1, std::int8_t{-128}).ok());
  CHECK(!aligned(3, std::int16_t{-32768}).ok());
}

TEST_CASE("A type that is not read is told apart from a file that lies: by name and number") {
  const auto types = [](std::uint32_t type) {
    GgufBytes file;
    file.begin(2, 0).tensor("blk.0.attn_q.weight", {256}, type, 0).tensor("last", {1}, 1000, 1024);
    file.pad();
    file.bytes.resize(file.bytes.size() + 1024);
    const auto result = parsed(file);
    REQUIRE_MESSAGE(result.ok(), result.status().message());
    CHECK(result.value().types().code() == Code::kUnsupported);
    return std::string(result.value().types().message());
  };
  CHECK(types(10).starts_with(
      "tensor blk.0.attn_q.weight: dtype Q2_K (ggml's number 10) (expected "));
  CHECK(types(34).starts_with(
      "tensor blk.0.attn_q.weight: dtype TQ1_0 (ggml's number 34) (expected "));
  CHECK(types(4).starts_with("tensor blk.0.attn_q.weight: dtype ggml's number 4 (expected F32"));
  CHECK(types(4294967295).find("ggml's number 4294967295") != std::string::npos);
  CHECK(types(0).starts_with("tensor last: dtype ggml's number 1000 (expected F32"));
  CHECK(parsed(good_file()).value().types().ok());
}

TEST_CASE("Every spoilt byte of a GGUF head is refused or harmless") {
  GgufBytes file = good_file();
  for (std::size_t i = 0; i < file.bytes.size(); ++i) {
    const std::uint8_t before = file.bytes[i];
    for (const int wrong : {0, 1, 4, 8, 9, 127, 128, 255}) {
      file.bytes[i] = static_cast<std::uint8_t>(wrong);
      const auto result = parsed(file);
      if (result.ok())
        for (const StoredTensor& tensor : result.value().tensors())
          CHECK(result.value().data() + tensor.end <= file.bytes.size());
      else
        CHECK((result.status().code() == Code::kMalformedFile ||
               result.status().code() == Code::kUnsupported));
    }
    file.bytes[i] = before;
  }
}

}  // namespace wf
