#include <cmath>

#include "bindings/small_model.h"
#include "calls/checkpoint.h"

namespace wf {

using namespace testing;
using calls::Checkpoint;

namespace {

std::vector<std::uint8_t> saved(const Model& model) {
  auto made = model.save(false);
  REQUIRE(made.ok());
  const List list = made.value()->list();
  const auto* first = testing::elements<std::uint8_t>(list);
  return {first, first + list.length};
}

// Loads a file with these bytes, piece by piece in the checkpoint's order.
Status load(const CallArguments& arguments, const Model& model, List bytes, List plan = {}) {
  auto made = Checkpoint::make(1);
  REQUIRE(made.ok());
  Checkpoint& checkpoint = *made.value();
  const auto added = checkpoint.add(arguments.workspace, 0, bytes, bytes.length);
  WF_RETURN_IF_ERROR(added.status());
  CHECK(added.value() == 0);
  WF_RETURN_IF_ERROR(checkpoint.begin(arguments.workspace, model, plan, false));
  for (auto piece = checkpoint.next(); piece.bytes; piece = checkpoint.next()) {
    CHECK(piece.offset + piece.bytes <= static_cast<std::uint64_t>(bytes.length));
    const auto offset = static_cast<std::uintptr_t>(piece.offset);
    WF_RETURN_IF_ERROR(checkpoint.give(arguments.workspace,
                                       {bytes.address + offset, static_cast<int>(piece.bytes)}));
  }
  return {};
}

}  // namespace

TEST_CASE("Weights that are no safetensors of this model are refused, and change nothing") {
  CallArguments arguments(4 << 20);
  const auto model = small_model();
  const std::vector<std::uint8_t> before = saved(*model);
  const auto load_list = [&](List bytes) { return load(arguments, *model, bytes); };
  const auto load_bytes = [&](const std::vector<std::uint8_t>& bytes) {
    return load_list(arguments.bytes(bytes));
  };
  REQUIRE(load_bytes(before).ok());
  refuses_wrong_lists(arguments, arguments.bytes(before), load_list, 1, testing::Lengths::kAny);
  const auto malformed = [&](const std::vector<std::uint8_t>& bytes) {
    const Status status = load_bytes(bytes);
    CHECK_MESSAGE(status.code() == Code::kMalformedFile, said(status));
  };
  malformed({});
  malformed({1, 2, 3});
  malformed(std::vector<std::uint8_t>(8, 0));
  malformed(std::vector<std::uint8_t>(8, 255));
  malformed(std::vector<std::uint8_t>(100, 255));
  // The header's length is larger than the file, or as large as 64 bits allow.
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{before.size()} - 7,
        std::uint64_t{1} << 31, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 8,
        ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
    std::vector<std::uint8_t> bytes = before;
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(size >> (8 * i));
    malformed(bytes);
  }
  for (const std::size_t length :
       {std::size_t{8}, std::size_t{9}, std::size_t{64}, before.size() / 2, before.size() - 1})
    malformed({before.begin(), before.begin() + static_cast<std::ptrdiff_t>(length)});
  CHECK(saved(*model) == before);
  // Weights of another model.
  CHECK(load_bytes(saved(*model_of(*layout_of(sizes_of(1))))).code() == Code::kMalformedFile);
  CHECK(load_bytes(saved(*model_of(*layout_of(sizes_of(3))))).code() == Code::kMalformedFile);
  CHECK(saved(*model) == before);
}

TEST_CASE("A plan that lies elsewhere or says nothing is refused, and changes nothing") {
  CallArguments arguments(4 << 20);
  const auto model = small_model();
  const std::vector<std::uint8_t> before = saved(*model);
  const List bytes = arguments.bytes(before);
  const auto load_by = [&](List plan) { return load(arguments, *model, bytes, plan); };
  const auto load_text = [&](const std::string& text) {
    return load_by(arguments.bytes({text.begin(), text.end()}));
  };
  const std::string line = "model.norm.weight\tmodel.norm.weight\t\t0\t0\t0\n";
  CHECK(is_refused(load_text(line), "malformed_file: tensor model.embed_tokens.weight is missing"));
  CHECK(is_refused(load_text("a\tb\n"), "invalid_argument: plan: line 1 is empty"));
  CHECK(is_refused(load_text(std::string(70000, '\n')), "invalid_argument: plan: 70000 lines (…"));
  CHECK(load_text("no end of a line").code() == Code::kMalformedFile);
  refuses_wrong_lists(
      arguments, arguments.bytes({line.begin(), line.end()}),
      [&](List plan) {
        const Status status = load_by(plan);
        return status.code() == Code::kMalformedFile ? Status() : status;
      },
      1, testing::Lengths::kAny);
  CHECK(saved(*model) == before);
}

TEST_CASE("Every spoilt byte of a header is refused or harmless") {
  CallArguments arguments(4 << 20);
  const auto model = small_model();
  const std::vector<std::uint8_t> good = saved(*model);
  const List list = arguments.bytes(good);
  std::uint8_t* bytes = testing::elements<std::uint8_t>(list);
  for (std::size_t i = 0; i < 1200; ++i)
    for (const std::uint8_t wrong : {std::uint8_t{0}, std::uint8_t{'"'}, std::uint8_t{'9'},
                                     std::uint8_t{'['}, std::uint8_t{'\\'}, std::uint8_t{255}}) {
      const std::uint8_t before = bytes[i];
      bytes[i] = wrong;
      const Code code = load(arguments, *model, list).code();
      CHECK((code == Code::kOk || code == Code::kMalformedFile || code == Code::kUnsupported));
      bytes[i] = before;
    }
}

TEST_CASE("Pieces that were not asked for, and files that are not there, are refused") {
  CallArguments arguments(4 << 20);
  const auto model = small_model();
  const std::vector<std::uint8_t> good = saved(*model);
  const List bytes = arguments.bytes(good);
  for (const int files : {-1, 0, 1025, INT32_MAX}) CHECK(!Checkpoint::make(files).ok());
  auto made = Checkpoint::make(2);
  REQUIRE(made.ok());
  Checkpoint& checkpoint = *made.value();
  const auto& space = arguments.workspace;
  CHECK(is_refused(checkpoint.begin(space, *model, {}, false),
                   "invalid_argument: file 0 has not been read"));
  for (const int file : {-1, 2, INT32_MAX, INT32_MIN}) {
    CHECK(!checkpoint.add(space, file, bytes, bytes.length).ok());
  }
  for (const double size : {-1.0, 1e300, std::nan(""), 1.0 * bytes.length - 1, 3.0})
    CHECK(!checkpoint.add(space, 0, bytes, size).ok());
  CHECK(checkpoint.next().bytes == 0);
  CHECK(!checkpoint.give(space, bytes).ok());
  // The header determines how many of the file's bytes are needed.
  const List eight = {bytes.address, 8};
  const auto needed = checkpoint.add(space, 0, eight, bytes.length);
  REQUIRE(needed.ok());
  CHECK(needed.value() > 8);
  CHECK(needed.value() < bytes.length);
  const List head = {bytes.address, static_cast<int>(needed.value())};
  CHECK(checkpoint.add(space, 0, head, bytes.length).value() == 0);
  CHECK(is_refused(checkpoint.begin(space, *model, {}, false),
                   "invalid_argument: file 1 has not been read"));
  // Two files with the same tensors.
  REQUIRE(checkpoint.add(space, 1, head, bytes.length).ok());
  CHECK(checkpoint.begin(space, *model, {}, false).code() == Code::kMalformedFile);
  CHECK(saved(*model) == good);
}

}  // namespace wf
