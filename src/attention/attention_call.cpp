#include "attention/attention_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/softcap.h"

namespace wf::detail {
namespace {

// The caller's scale wins, then a scheme's, then 1/√D.
float logit_scale(const AttentionConfig& config, const LayerSchemes& schemes) {
  if (config.scale != 0) return config.scale;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookScale) && item.scheme->logit_scale() != 0) return item.scheme->logit_scale();
  return 1.0f / std::sqrt(static_cast<float>(config.head_dim));
}

}  // namespace

Status check_heads(const char* name, const ConstHeads& x, int heads, int rows, int columns) {
  if (x.heads == heads && x.rows == rows && x.columns == columns) return {};
  return Status::error(Code::kInvalidArgument, "%s: shape [%d,%d,%d]; expected is [%d,%d,%d]", name,
                       x.heads, x.rows, x.columns, heads, rows, columns);
}

Status check_input(const AttentionConfig& config, const LayerSchemes& schemes,
                   const AttentionInput& input) {
  const int queries = input.q.rows, keys = input.k.rows;
  WF_RETURN_IF_ERROR(check_heads("q", input.q, config.num_heads, queries, config.head_dim));
  WF_RETURN_IF_ERROR(check_heads("k", input.k, config.num_kv_heads, keys, config.head_dim));
  WF_RETURN_IF_ERROR(check_heads("v", input.v, config.num_kv_heads, keys, value_dim(config)));
  if (input.query_positions.count != queries)
    return Status::error(Code::kInvalidArgument,
                         "positions: %d of them; expected is one for each of %d queries",
                         input.query_positions.count, queries);
  if (input.key_positions.count != keys)
    return Status::error(Code::kInvalidArgument,
                         "keyPositions: %d of them; expected is one for each of %d keys",
                         input.key_positions.count, keys);
  WF_RETURN_IF_ERROR(schemes.check_projections());
  WF_RETURN_IF_ERROR(schemes.check_axes("positions", input.query_positions));
  return schemes.check_axes("keyPositions", input.key_positions);
}

Result<LayerSchemes> acting(const AttentionConfig& config, const LayerSchemes& schemes) {
  LayerSchemes list = schemes;
  if (!config.is_cross) return list;
  for (int i = 0; i < list.count; ++i) {
    const SchemeDescription& description = *list.items[i].description;
    if (description.cross_attention == CrossAttention::kRefused)
      return Status::error(Code::kUnsupported, "isCross: %s is not defined between two sequences",
                           description.id);
    if (description.cross_attention == CrossAttention::kNone) list.items[i].hooks &= kHookScale;
  }
  return list;
}

AttentionCall::AttentionCall(const AttentionConfig& config_in, const LayerSchemes& schemes_in,
                             const AttentionInput& input_in)
    : config(config_in),
      schemes(schemes_in),
      input(input_in),
      mask(input_in.mask),
      scale(logit_scale(config_in, schemes_in)),
      group(config_in.num_heads / config_in.num_kv_heads),
      length(std::max(sequence_length(input_in.query_positions),
                      sequence_length(input_in.key_positions))),
      q(input_in.q),
      k(input_in.k) {
  mask.is_causal = config.is_causal;
  mask.window = config.sliding_window;
  mask.chunk = config.chunk_size;
  const RelativeRange distances(input.query_positions, input.key_positions);
  for (int i = 0; i < schemes.count; ++i)
    contexts[i] = {.layer = schemes.layer,
                   .query_positions = input.query_positions,
                   .key_positions = input.key_positions,
                   .distances = distances,
                   .scale = scale,
                   .is_causal = config.is_causal,
                   .values = schemes.items[i].values,
                   .gradients = schemes.items[i].gradients,
                   .projections = schemes.items[i].projections};
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias)) right_to_left |= item.scheme->traversal().right_to_left;
}

HeadLogits AttentionCall::head_logits(int head) const {
  return {.schemes = schemes,
          .contexts = contexts,
          .mask = mask,
          .softcap = config.softcap,
          .scale = scale,
          .head = head,
          .kv_head = head / group,
          .raw_q = input.q.head(head),
          .raw_k = input.k.head(head / group),
          .q = q.head(head),
          .k = k.head(head / group),
          .sink = input.sinks ? input.sinks + head : nullptr};
}

LogitTile AttentionCall::tile(int head, int row0, int rows, int column0, int columns,
                              float* logits) const {
  const ConstMatrix qh = q.head(head), kh = k.head(head / group);
  return {.head = head,
          .kv_head = head / group,
          .row0 = row0,
          .rows = rows,
          .column0 = column0,
          .columns = columns,
          .logits = logits,
          .stride = kBlockColumns,
          .q = {qh.row(row0), rows, qh.columns, qh.stride},
          .k = {kh.row(column0), columns, kh.columns, kh.stride}};
}

Status refresh_tables(const AttentionCall& call, const Positions& positions,
                      PositionTable* tables) {
  const LayerSchemes& schemes = call.schemes;
  tables += schemes.first_table;
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].has(kHookTransform)) {
      WF_RETURN_IF_ERROR(schemes.items[i].scheme->check_positions(positions));
      WF_RETURN_IF_ERROR(tables[i].refresh(*schemes.items[i].scheme, positions, call.length));
    }
  return {};
}

void transform_head(const AttentionCall& call, Projection projection, int head,
                    const Positions& positions, const PositionTable* tables, Matrix x) {
  const LayerSchemes& schemes = call.schemes;
  tables += schemes.first_table;
  for (int i = 0; i < schemes.count; ++i)
    if (schemes.items[i].has(kHookTransform))
      schemes.items[i].scheme->transform_projections(call.contexts[i], projection, head,
                                                     tables[i].rows(positions), x);
}

void transform_head_backward(const AttentionCall& call, Projection projection, int head,
                             const Positions& positions, const PositionTable* tables,
                             ConstMatrix raw, Matrix d_x) {
  const LayerSchemes& schemes = call.schemes;
  tables += schemes.first_table;
  for (int i = schemes.count - 1; i >= 0; --i)
    if (schemes.items[i].has(kHookTransform))
      schemes.items[i].scheme->transform_projections_backward(call.contexts[i], projection, head,
                                                              tables[i].rows(positions), raw, d_x);
}

namespace {

// Copies heads into `buffer`, transforms them there and returns the view.
Result<ConstHeads> transformed(const AttentionCall& call, Projection projection,
                               const ConstHeads& raw, const Positions& positions,
                               const PositionTable* tables, Buffer<float>& buffer) {
  WF_RETURN_IF_ERROR(buffer.reserve(static_cast<std::size_t>(raw.heads) * raw.rows * raw.columns));
  const Heads heads = heads_outermost(buffer.data(), raw.heads, raw.rows, raw.columns);
  for (int h = 0; h < raw.heads; ++h) {
    for (int t = 0; t < raw.rows; ++t)
      std::memcpy(heads.head(h).row(t), raw.head(h).row(t), sizeof(float) * raw.columns);
    transform_head(call, projection, h, positions, tables, heads.head(h));
  }
  return ConstHeads(heads);
}

}  // namespace

// Fills call.q and call.k with transformed projections, where a scheme transforms.
Status transform_call(AttentionCall& call, AttentionSaved& saved, AttentionScratch& scratch) {
  if (!call.schemes.any(kHookTransform)) return {};
  const AttentionInput& input = call.input;
  WF_RETURN_IF_ERROR(refresh_tables(call, input.query_positions, scratch.query_tables));
  WF_ASSIGN_OR_RETURN(call.q, transformed(call, Projection::kQuery, input.q, input.query_positions,
                                          scratch.query_tables, saved.q));
  if (input.keys_are_transformed) return {};
  WF_RETURN_IF_ERROR(refresh_tables(call, input.key_positions, scratch.key_tables));
  WF_ASSIGN_OR_RETURN(call.k, transformed(call, Projection::kKey, input.k, input.key_positions,
                                          scratch.key_tables, saved.k));
  return {};
}

namespace {

// Of one scheme, where its heads can take turns (20 MiB).
constexpr std::size_t kMostTableFloats = std::size_t{5} << 20;

bool is_kept(const AttentionCall& call, const LayerContext& context) {
  return call.input.prepared && PreparedLayer::keeps(context);
}

// Backward adds to the gradients of all heads.
bool tables_take_turns(const AttentionCall& call, int index) {
  const LayerScheme& item = call.schemes.items[index];
  return item.has(kHookPrepare) && !item.gradients && item.scheme->tables_by_head() &&
         !is_kept(call, call.contexts[index]);
}

}  // namespace

int heads_of_tables(const AttentionCall& call) {
  int heads = call.config.num_heads;
  for (int i = 0; i < call.schemes.count; ++i) {
    if (!tables_take_turns(call, i)) continue;
    LayerContext one = call.contexts[i];
    one.head_count = 1;
    const std::size_t fit =
        kMostTableFloats / (call.schemes.items[i].scheme->layer_table_floats(one) + 1);
    heads = static_cast<int>(std::clamp<std::size_t>(fit, 1, heads));
  }
  return heads;
}

Status prepare_layer(AttentionCall& call, AttentionScratch& scratch, int first_head,
                     int head_count) {
  for (int i = 0; i < call.schemes.count; ++i) {
    const LayerScheme& item = call.schemes.items[i];
    if (!item.has(kHookPrepare)) continue;
    LayerContext& context = call.contexts[i];
    if (tables_take_turns(call, i)) {
      context.first_head = first_head;
      context.head_count = head_count;
    } else if (first_head > 0) {
      continue;
    }
    if (is_kept(call, context)) {
      WF_RETURN_IF_ERROR(call.input.prepared[i].refresh(item, context, scratch.matmul));
      continue;
    }
    WF_RETURN_IF_ERROR(scratch.layer_tables[i].reserve(item.scheme->layer_table_floats(context)));
    item.scheme->prepare_layer(context, scratch.layer_tables[i].data(), scratch.matmul);
    context.table = scratch.layer_tables[i].data();
  }
  return {};
}

Status prepare_layer_backward(AttentionCall& call, AttentionScratch& scratch) {
  WF_RETURN_IF_ERROR(prepare_layer(call, scratch, 0, call.config.num_heads));
  for (int i = 0; i < call.schemes.count; ++i) {
    if (!call.schemes.items[i].has(kHookPrepare)) continue;
    const std::size_t size = call.schemes.items[i].scheme->layer_table_floats(call.contexts[i]);
    WF_RETURN_IF_ERROR(scratch.d_layer_tables[i].reserve(size));
    std::fill_n(scratch.d_layer_tables[i].data(), size, 0.0f);
    call.contexts[i].d_table = scratch.d_layer_tables[i].data();
  }
  return {};
}

AttentionScratch& other_lane(int lane) {
  static AttentionScratch lanes[kMostThreads - 1];
  return lanes[lane - 1];
}

int lanes_with_memory(const AttentionCall& call, double multiplications) {
  for (const LayerScheme& item : call.schemes)
    if (item.gradients && item.scheme->parameters().size() > 0) return 1;
  const int lanes = lanes_for(multiplications);
  for (int lane = 1; lane < lanes; ++lane) {
    AttentionScratch& scratch = other_lane(lane);
    if (scratch.tiles.data()) continue;
    auto made = AttentionScratch::make();
    if (!made.ok()) return 1;
    scratch = made.take();
  }
  return lanes;
}

int carry_floats(const LayerSchemes& schemes) {
  int total = 0;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias)) total += item.scheme->traversal().carry_floats;
  return total;
}

LogitTile with_carry(const AttentionCall& call, const LogitTile& tile, int index, float* carry) {
  LogitTile own = tile;
  own.carry = carry;
  for (int i = 0; i < index; ++i)
    if (call.schemes.items[i].has(kHookBias))
      own.carry +=
          std::ptrdiff_t{kBlockRows} * call.schemes.items[i].scheme->traversal().carry_floats;
  return own;
}

Status reserve_for_tiles(const LayerSchemes& schemes, AttentionScratch& scratch) {
  int most = 0;
  for (const LayerScheme& item : schemes)
    if (item.has(kHookBias)) most = std::max(most, item.scheme->traversal().work_floats);
  WF_RETURN_IF_ERROR(scratch.work.reserve(most));
  scratch.work_kept = WorkKept::kNothing;
  // One for the logits and one for their gradients.
  return scratch.carry.reserve(std::size_t{2 * kBlockRows} * carry_floats(schemes));
}

void lend(const AttentionCall& call, AttentionScratch& scratch, LogitTile& tile) {
  int working = 0;  // schemes work in the same memory, and may read the logits
  for (const LayerScheme& item : call.schemes) working += item.has(kHookBias);
  tile.q_strips = scratch.operands.query_strips();
  tile.work = scratch.work.data();
  tile.work_kept = working == 1 ? scratch.work_kept : WorkKept::kNothing;
  if (working > 1) tile.offsets = nullptr;
  tile.matmul = &scratch.matmul;
}

Status begin_block(AttentionScratch& scratch, ConstMatrix q) {
  if (scratch.work_kept == WorkKept::kOfBlock) scratch.work_kept = WorkKept::kOfCall;
  return scratch.operands.begin_block(q);
}

const float* mask_tile(const AttentionCall& call, AttentionScratch& scratch,
                       const LogitTile& tile) {
  bool wanted = false;
  for (const LayerScheme& item : call.schemes)
    if (item.has(kHookBias)) wanted |= item.scheme->traversal().wants_mask;
  if (!wanted) return nullptr;
  float* mask = scratch.tiles.data() + 4 * kTileFloats;
  std::fill_n(mask, kTileFloats, 0.0f);
  call.mask.apply(tile.head, tile.row0, tile.rows, tile.column0, tile.columns, mask, tile.stride);
  return mask;
}

KeyTiles::KeyTiles(const AttentionCall& call, int row0, int rows)
    : begin(call.mask.visible_to_any(row0, rows, call.k.rows).begin / kPanelColumns *
            kPanelColumns),
      end(call.mask.visible_to_any(row0, rows, call.k.rows).end),
      count(end > begin ? (end - begin + kBlockColumns - 1) / kBlockColumns : 0),
      right_to_left(call.right_to_left) {}

void compute_logits(const AttentionCall& call, AttentionScratch& scratch, const LogitTile& tile,
                    float* carry, float* content) {
  scratch.operands.logits(tile, call.scale, scratch.matmul);
  scratch.distance.add(tile);
  if (!call.schemes.any(kHookBias)) return;
  if (content) std::memcpy(content, tile.logits, sizeof(float) * kTileFloats);
  LogitTile given = tile;
  lend(call, scratch, given);
  given.mask = mask_tile(call, scratch, tile);
  for (int i = 0; i < call.schemes.count; ++i)
    if (call.schemes.items[i].has(kHookBias))
      call.schemes.items[i].scheme->bias_logits(call.contexts[i],
                                                with_carry(call, given, i, carry));
  scratch.work_kept = WorkKept::kOfBlock;
}

void cap_and_mask(const AttentionCall& call, const LogitTile& tile) {
  if (call.config.softcap > 0)
    for (int i = 0; i < tile.rows; ++i)
      softcap_row(tile.logits + i * tile.stride, tile.columns, call.config.softcap);
  if (!call.mask.leaves_alone(tile.row0, tile.rows, tile.column0, tile.columns, call.k.rows))
    call.mask.apply(tile.head, tile.row0, tile.rows, tile.column0, tile.columns, tile.logits,
                    tile.stride);
}

}  // namespace wf::detail
