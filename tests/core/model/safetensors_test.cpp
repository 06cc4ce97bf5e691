#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "model/safetensors.h"
#include "tensor/random.h"

namespace wf {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes file_of(const std::string& header, std::size_t data_bytes) {
  Bytes bytes;
  for (int i = 0; i < 8; ++i)
    bytes.push_back(
        static_cast<std::uint8_t>(static_cast<std::uint64_t>(header.size()) >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (std::size_t i = 0; i < data_bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(i));
  return bytes;
}

std::string refusal(const std::string& header, std::size_t data_bytes, Code code) {
  auto file = SafetensorsFile::parse(file_of(header, data_bytes));
  CAPTURE(header);
  REQUIRE(!file.ok());
  CHECK(file.status().code() == code);
  return file.status().message();
}

void check_malformed(const std::string& header, std::size_t data_bytes, const char* what) {
  const std::string message = refusal(header, data_bytes, Code::kMalformedFile);
  CAPTURE(message);
  CHECK(message.find(what) != std::string::npos);
}

const std::string kTensor = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";

// A file with metadata, several shapes and keys in different orders.
Bytes good_file() {
  return file_of(R"({"__metadata__":{"format":"pt","note":"a \"quoted\" \u00e9"},)" + kTensor +
                     R"(, "b.c": {"data_offsets":[8,20],"shape":[2,3],"dtype":"F16"},)"
                     R"("s":{"dtype":"BF16","shape":[],"data_offsets":[20,22]},)"
                     R"("none":{"dtype":"F32","shape":[0,4],"data_offsets":[22,22]}}  )",
                 22);
}

}  // namespace

TEST_CASE("A well-formed file yields its tensors and metadata") {
  const Bytes bytes = good_file();
  auto parsed = SafetensorsFile::parse(bytes);
  REQUIRE_MESSAGE(parsed.ok(), parsed.status().message());
  const SafetensorsFile& file = parsed.value();
  CHECK(file.tensors().size() == 4);
  CHECK(file.metadata_value("format") == "pt");
  CHECK(file.metadata_value("absent").empty());
  const StoredTensor* b = file.find("b.c");
  REQUIRE(b);
  CHECK(b->dtype == Dtype::kF16);
  CHECK(b->dimensions == 2);
  CHECK(b->shape[1] == 3);
  CHECK(b->count() == 6);
  REQUIRE(file.find("s"));
  CHECK(file.find("s")->count() == 1);
  CHECK(file.find("none")->count() == 0);
  CHECK(file.find("z") == nullptr);
  float values[2];
  file.read(*file.find("a"), values);
  const std::uint8_t first[4] = {0, 1, 2, 3};
  CHECK(std::memcmp(values, first, 4) == 0);
}

TEST_CASE("A file without tensors is well formed") {
  CHECK(SafetensorsFile::parse(file_of("{}", 0)).ok());
  CHECK(SafetensorsFile::parse(file_of(R"({"__metadata__":{}})", 0)).ok());
}

TEST_CASE("What is written is read back exactly, aligned, with its metadata") {
  const float values[] = {1.5f, -2.25f, 3.0f, 1e-3f, 0.0f, 7.0f};
  TensorToStore tensors[2];
  tensors[0].name = "weight";
  tensors[0].dimensions = 2;
  tensors[0].shape[0] = 2;
  tensors[0].shape[1] = 2;
  tensors[0].values = values;
  tensors[0].count = 4;
  tensors[1].name = "bias";
  tensors[1].shape[0] = 2;
  tensors[1].values = values + 4;
  tensors[1].count = 2;
  const MetadataPair metadata[] = {{"format", "pt"}, {"step", "12"}};
  auto bytes = write_safetensors(tensors, metadata, Dtype::kF32);
  REQUIRE(bytes.ok());
  const std::span<const std::uint8_t> span(bytes.value().data(), bytes.value().size());
  CHECK((span.size() - sizeof(values)) % 8 == 0);
  auto file = SafetensorsFile::parse(span);
  REQUIRE_MESSAGE(file.ok(), file.status().message());
  CHECK(file.value().metadata_value("step") == "12");
  float read[4];
  file.value().read(*file.value().find("weight"), read);
  CHECK(std::memcmp(read, values, sizeof(read)) == 0);
}

TEST_CASE("Names that JSON would have to escape, and BF16, are not written") {
  TensorToStore tensor;
  const float value = 1;
  tensor.shape[0] = 1;
  tensor.values = &value;
  tensor.count = 1;
  for (const char* name : {"a\"b", "a\\b", "a\nb", "\xc3\xa9"}) {
    tensor.name = name;
    CHECK(write_safetensors({&tensor, 1}, {}, Dtype::kF32).status().code() ==
          Code::kInvalidArgument);
  }
  tensor.name = "a";
  CHECK(write_safetensors({&tensor, 1}, {}, Dtype::kBF16).status().code() ==
        Code::kInvalidArgument);
}

TEST_CASE("A file cut anywhere is malformed") {
  const Bytes whole = good_file();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // A copy of exactly this length, so that the sanitizer reports every read past the end.
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    auto file = SafetensorsFile::parse(part);
    CAPTURE(length);
    REQUIRE(!file.ok());
    CHECK(file.status().code() == Code::kMalformedFile);
  }
  Bytes longer = whole;
  longer.push_back(0);
  CHECK(SafetensorsFile::parse(longer).status().code() == Code::kMalformedFile);
}

TEST_CASE("Flipped bytes give a file or a typed error, never a step outside") {
  const Bytes whole = good_file();
  Random random(1);
  int refused = 0;
  // With WF_LONG, a hundred times as many rounds.
  const int rounds = std::getenv("WF_LONG") ? 2000000 : 20000;
  for (int round = 0; round < rounds; ++round) {
    Bytes bytes = whole;
    const std::uint32_t flips = 1 + random.below(3);
    for (std::uint32_t i = 0; i < flips; ++i)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
          static_cast<std::uint8_t>(1u << random.below(8));
    auto file = SafetensorsFile::parse(bytes);
    if (!file.ok()) {
      ++refused;
      const Code code = file.status().code();
      REQUIRE((code == Code::kMalformedFile || code == Code::kUnsupported));
      continue;
    }
    for (const StoredTensor& tensor : file.value().tensors()) {
      std::vector<float> values(tensor.count());
      file.value().read(tensor, values.data());
    }
  }
  CHECK(refused > rounds / 2);
  CHECK(refused < rounds);
}

TEST_CASE("Each way to be malformed is told apart") {
  check_malformed("", 0, "no header object");
  check_malformed("[]", 0, "no header object");
  check_malformed("{} x", 0, "text after the header object");
  check_malformed("{" + kTensor, 8, "an unfinished header");
  check_malformed("{" + kTensor + ",}", 8, "a bad key");
  check_malformed("{" + kTensor + "," + kTensor + "}", 8, "appears twice");
  check_malformed(R"({"__metadata__":{"a":1}})", 0, "not made of strings");
  check_malformed(R"({"__metadata__":[]})", 0, "not an object");
  check_malformed(R"({"__metadata__":{},"__metadata__":{}})", 0, "a second __metadata__");
  check_malformed(R"({"a":3})", 0, "a tensor is not an object");
  check_malformed(R"({"a":{"shape":[2],"data_offsets":[0,8]}})", 8, "lacks dtype");
  check_malformed(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", 8, "lacks dtype");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2]}})", 8, "lacks dtype");
  check_malformed(R"({"a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8,
                  "unknown or repeated key");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1}})", 8,
                  "unknown or repeated key");
  check_malformed(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8, "a bad extent");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8,
                  "an unfinished shape");
  check_malformed(R"({"a":{"dtype":"F32","shape":[02],"data_offsets":[0,8]}})", 8, "a bad extent");
  check_malformed(R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]}})", 8,
                  "more than 8 dimensions");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", 8, "bad data_offsets");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,99999999999999999999]}})", 8,
                  "bad data_offsets");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8,
                  "ends before it begins");
  check_malformed(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8,
                  "do not fit its shape");
  check_malformed(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,8]}})", 8,
                  "do not fit its shape");
  // 4 · 2³² · 2³² is 0 in 64 bits.
  check_malformed(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})",
                  0, "an impossible shape");
  check_malformed(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12, "leaves a gap");
  check_malformed("{" + kTensor + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12,
                  "leaves a gap or overlaps");
  check_malformed("{" + kTensor + "}", 9, "9 bytes of data, and the header says 8");
  check_malformed("{" + kTensor + "}", 4, "4 bytes of data, and the header says 8");
  check_malformed("{\"a\n\":{}}", 0, "a bad key");
  check_malformed(R"({"a\x":{}})", 0, "a bad key");
  check_malformed(R"({"a\u12)", 0, "a bad key");
  CHECK(refusal(R"({"a":{"dtype":"I65","shape":[1],"data_offsets":[0,8]}})", 8,
                Code::kUnsupported) == "tensor a: dtype I65 (expected F32, F16 or BF16)");
}

TEST_CASE("A header length beyond the file is malformed") {
  Bytes bytes = file_of("{}", 0);
  for (int i = 0; i < 8; ++i) bytes[static_cast<std::size_t>(i)] = 0xff;
  CHECK(SafetensorsFile::parse(bytes).status().code() == Code::kMalformedFile);
}

TEST_CASE("A file may hold a dtype that is not read, and says so where it would be") {
  const Bytes bytes = file_of(R"({"a":{"dtype":"I64","shape":[2],"data_offsets":[0,16]}})", 16);
  auto file = SafetensorsFile::parse(bytes);
  REQUIRE_MESSAGE(file.ok(), file.status().message());
  const StoredTensor* tensor = file.value().find("a");
  REQUIRE(tensor);
  CHECK(tensor->count() == 2);
  CHECK(std::string(tensor->check_dtype().message()) ==
        "tensor a: dtype I64 (expected F32, F16 or BF16)");
  float values[] = {1, 1};
  file.value().read(*tensor, values);
  CHECK(values[0] + values[1] == 0);
}

}  // namespace wf
