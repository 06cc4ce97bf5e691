// Calls from outside: settings, a scheme with options, and lists at any address, in or outside a
// block of bytes. Every call must either succeed or fail with a typed error.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "calls/attention.h"
#include "calls/descriptions.h"
#include "fuzz/bytes.h"

namespace {

using namespace wf;
using namespace wf::calls;
using fuzz::Bytes;

constexpr std::size_t kBlock = 4096;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

bool is_typed(const Status& status) {
  return status.ok() || status.code() == Code::kInvalidArgument ||
         status.code() == Code::kUnsupported || status.code() == Code::kOutOfMemory;
}

// A size: mostly below 24, so that calls may succeed; otherwise any integer.
int size_from(Bytes& bytes) {
  const auto first = bytes.take<std::uint8_t>();
  return first < 250 ? first % 24 : bytes.take<std::int32_t>();
}

// Returns a list of `count` elements, mostly within the block; sometimes any address or length.
List list_from(Bytes& bytes, const Workspace& workspace, double count, std::size_t size) {
  const auto how = bytes.take<std::uint8_t>();
  const auto place = bytes.take<std::uint16_t>();
  List list = {workspace.address() + place % kBlock / size * size,
               std::abs(count) < 1e9 ? static_cast<int>(count) : 0};
  if (how >= 240) list.address = bytes.take<std::uint64_t>();
  if (how >= 230) list.length = bytes.take<std::int32_t>();
  if (how == 229) list.length += 1;
  if (how == 228) list.address += 1;
  if (how == 227) list = {};
  return list;
}

// Fills the first half, which most operands are in, with small finite floats; the rest with any
// bytes.
void fill(Workspace& workspace, std::span<const std::uint8_t> rest) {
  auto* block = reinterpret_cast<std::uint8_t*>(workspace.address());
  std::memset(block, 0, kBlock);
  auto* numbers = reinterpret_cast<float*>(block);
  const std::size_t half = std::min(rest.size(), kBlock / 2 / sizeof(float));
  for (std::size_t i = 0; i < half; ++i) numbers[i] = static_cast<float>(rest[i] - 128) / 16;
  if (rest.size() > half)
    std::memcpy(block + kBlock / 2, rest.data() + half, std::min(rest.size() - half, kBlock / 2));
}

std::unique_ptr<ConfiguredScheme> scheme_from(Bytes& bytes, Workspace& workspace,
                                              const AttentionConfig& settings) {
  auto chosen = ChosenScheme::make(bytes.take<std::uint8_t>());
  if (!chosen.ok()) return nullptr;
  for (int left = bytes.take<std::uint8_t>() % 4; left > 0; --left) {
    const int option = bytes.take<std::uint8_t>();
    const double value = bytes.take<std::uint8_t>() % 2 ? bytes.take<std::int8_t>()  //
                                                        : bytes.take<double>();
    std::memcpy(reinterpret_cast<void*>(workspace.address()), &value, sizeof(value));
    require(is_typed(chosen.value()->set_option(workspace, option, {workspace.address(), 1})),
            "a refused option");
  }
  auto made = ConfiguredScheme::make(
      *chosen.value(), {settings.num_heads, settings.num_kv_heads, settings.head_dim});
  require(is_typed(made.status()), "a refused scheme");
  return made.ok() ? made.take() : nullptr;
}

AttentionRequest request_from(Bytes& bytes, const Workspace& workspace,
                              const AttentionConfig& settings) {
  AttentionRequest request;
  request.queries = size_from(bytes);
  request.keys = bytes.take<std::uint8_t>() % 2 ? request.queries : size_from(bytes);
  const double queries = request.queries, keys = request.keys, heads = settings.num_heads,
               kv_heads = settings.num_kv_heads, channels = settings.head_dim,
               values = settings.value_dim ? settings.value_dim : settings.head_dim;
  const auto list = [&](double count, std::size_t size = 4) {
    return list_from(bytes, workspace, count, size);
  };
  const int axes = 1 + bytes.take<std::uint8_t>() % 3;
  request.q = list(heads * queries * channels);
  request.k = list(kv_heads * keys * channels);
  request.v = list(kv_heads * keys * values);
  request.query_positions = list(axes * queries);
  request.key_positions = list(axes * keys);
  const auto rules = bytes.take<std::uint8_t>();
  if (rules & 1) request.query_segments = list(queries), request.key_segments = list(keys);
  if (rules & 2) request.added_mask = list(heads * queries * keys);
  if (rules & 4) request.allowed_mask = list(heads * queries * keys, 1);
  if (rules & 8) request.head_stride = size_from(bytes);
  if (rules & 16) request.row_stride = size_from(bytes);
  if (rules & 32) request.column_stride = size_from(bytes);
  if (rules & 64) {
    request.query_offset = bytes.take<std::int8_t>();
    request.key_length = bytes.take<std::int8_t>();
    request.prefix_length = bytes.take<std::int8_t>();
  }
  if (rules & 128) request.query_offset = bytes.take<std::int32_t>();
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  set_memory_limit(std::size_t{64} << 20);
  Bytes bytes(data, size);
  static Workspace workspace;
  require(workspace.reserve(kBlock).ok(), "a block");
  const auto flags = bytes.take<std::uint8_t>();
  const AttentionConfig settings = {
      .num_heads = size_from(bytes),
      .num_kv_heads = size_from(bytes),
      .head_dim = size_from(bytes),
      .value_dim = size_from(bytes),
      .scale = flags & 1 ? static_cast<float>(bytes.take<double>()) : 0,
      .is_causal = (flags & 2) != 0,
      .is_cross = (flags & 4) != 0,
      .softcap = flags & 32 ? static_cast<float>(bytes.take<double>()) : 0,
      .sliding_window = flags & 8 ? size_from(bytes) : 0,
      .chunk_size = flags & 16 ? size_from(bytes) : 0,
  };
  auto made = Attention::make(workspace, settings, {});
  require(is_typed(made.status()), "refused settings");
  if (!made.ok()) return 0;
  Attention& attention = *made.value();
  for (int left = bytes.take<std::uint8_t>() % 3; left > 0; --left)
    if (const auto scheme = scheme_from(bytes, workspace, settings))
      require(is_typed(attention.add_scheme(*scheme)), "a refused stack");
  const AttentionRequest request = request_from(bytes, workspace, settings);
  const double values = settings.value_dim ? settings.value_dim : settings.head_dim;
  const List out = list_from(bytes, workspace, values * settings.num_heads * request.queries, 4);
  const RecordRequest record = {
      .kinds = bytes.take<std::uint8_t>(),
      .heads = list_from(bytes, workspace, bytes.take<std::uint8_t>() % 4, 4),
      .rows = list_from(bytes, workspace, bytes.take<std::uint8_t>() % 4, 4),
      .columns = list_from(bytes, workspace, bytes.take<std::uint8_t>() % 4, 4)};
  fill(workspace, bytes.rest());
  require(is_typed(attention.run(workspace, request, record, out)), "a refused run");
  attention.take_record();
  fill(workspace, bytes.rest());
  require(is_typed(attention.run(workspace, request, {}, out)), "a refused run without a record");
  auto cache = attention.make_cache(size_from(bytes));
  require(is_typed(cache.status()), "a refused cache");
  if (!cache.ok()) return 0;
  for (int step = 0; step < 3; ++step) {
    fill(workspace, bytes.rest());
    require(is_typed(attention.decode(workspace, *cache.value(), request, out)), "a refused step");
    const int length = cache.value()->length();
    require(is_typed(cache.value()->truncate(step == 1 ? length / 2 : length)), "a cut");
  }
  return 0;
}
