#include "model/gguf.h"

#include <doctest/doctest.h>

#include <string>

#include "core/model/gguf_bytes.h"

namespace wf {
namespace {

using testing::GgufBytes;

constexpr std::uint32_t kF32 = 0, kQ4_0 = 2, kU32 = 4, kText = 8, kList = 9;

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
    // Padding may be missing: it says nothing.
    if (needed == 0) continue;
    CHECK(needed > length);
    CHECK(needed <= file.bytes.size());
    // The same bytes, and no more in the file.
    GgufBytes cut;
    cut.bytes.assign(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(length));
    check_refused(cut, "the head ends early");
  }
}

TEST_CASE("A GGUF file that lies about sizes, types or places is refused") {
  check_refused(GgufBytes().begin(0, 0, 1), "GGUF version 1", Code::kUnsupported);
  check_refused(GgufBytes().begin(0, 0, 0x03000000), "little-endian", Code::kUnsupported);
  check_refused(GgufBytes().begin(~0ull, 0), "the head ends early");
  check_refused(GgufBytes().begin(0, ~0ull), "the head ends early");
  check_refused(GgufBytes().begin(0, 1).number(~0ull), "the head ends early");
  const auto entry = [](std::uint32_t type) {
    GgufBytes file;
    file.begin(0, 1).text("k").number(type);
    return file;
  };
  check_refused(entry(13).number(0ull), "a value of no known type");
  check_refused(entry(kList).number(kList).number(1ull), "a value of no known type");
  check_refused(entry(kList).number(kU32).number(~0ull), "a list too long");
  check_refused(entry(kList).number(kText).number(~0ull), "the head ends early");
  check_refused(GgufBytes().begin(0, 1).text("general.alignment").number(kU32).number(0u),
                "a bad general.alignment");
  check_refused(GgufBytes().begin(0, 1).text("general.alignment").number(kU32).number(48u),
                "a bad general.alignment");
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
  check_refused(one({4}, 4, 0), "has no known type");
  check_refused(one({4}, 1000, 0), "has no known type");
  check_refused(one({1ull << 31, 1}, kF32, 0), "has an impossible shape");
  check_refused(one({1 << 30, 1 << 30}, kF32, 0), "has an impossible shape");
  check_refused(one({1, 1, 1, 1, 1, 1, 1, 1, 1}, kF32, 0), "has more than 8 dimensions");
  check_refused(tensors(2, [](GgufBytes& f) { f.tensor("t", {1}, 0, 0).tensor("t", {1}, 0, 32); }),
                "stands there twice");
  check_refused(tensors(2, [](GgufBytes& f) { f.tensor("t", {9}, 0, 0).tensor("u", {1}, 0, 32); }),
                "overlaps another");
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
