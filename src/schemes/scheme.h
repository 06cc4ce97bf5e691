// The interface of a positional-encoding scheme, and the record that describes one.
//
// Every hook does nothing unless overridden. Hooks work on tiles, never on single scores, and keep
// no state between calls: what changes from call to call arrives in the context, so one scheme
// object serves several sequences and threads at once.
//
// Order is not position: masks go by the index of a token in its sequence; schemes see positions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "kernels/matmul.h"
#include "schemes/number_list.h"
#include "schemes/relative_range.h"
#include "status.h"
#include "tensor/parameter.h"
#include "tensor/view.h"

namespace wf {

// ---- Description: machine facts, which reach JavaScript unchanged. Words live in docs/schemes.

enum class OptionKind : std::uint8_t { kBoolean, kInteger, kNumber, kChoice, kList };

struct Option {
  // camelCase, as in the public API; "group.key" stands in an object of its own, { group: { key }
  // }.
  const char* key;
  // Hugging Face's name in config.json, "group.key" where it is nested there, or "".
  const char* config_key;
  OptionKind kind;
  double default_value = 0;  // choice: index into `choices`; a list is empty by default
  double minimum = 0;  // of each number of a list
  double maximum = 1;
  std::span<const char* const> choices = {};
};

// A scheme's own options and those that it shares with others (constexpr auto kOptions =
// joined(…)).
template <std::size_t N, std::size_t M>
constexpr std::array<Option, N + M> joined(const Option (&own)[N], const Option (&shared)[M]) {
  std::array<Option, N + M> all = {};
  for (std::size_t i = 0; i < N; ++i) all[i] = own[i];
  for (std::size_t i = 0; i < M; ++i) all[N + i] = shared[i];
  return all;
}

struct Claims {
  bool shift_invariant;  // logits depend on differences of positions alone
  bool extrapolates_by_construction;  // defined and in range at every distance
  bool bidirectional;
  bool decodes;  // works with a KV cache
};

// What a scheme does where queries and keys come from two sequences, in an encoder-decoder's
// cross-attention.
enum class CrossAttention : std::uint8_t {
  kNone,  // nothing: a distance between two sequences has no meaning
  kPositions,  // as in self-attention, with the positions of both sides
  kRefused,  // a typed error: the scheme is not defined there
};

struct SchemeDescription {
  const char* id;
  const char* family;  // none, absolute, relative, rotary, latent, grid
  const char* paper;
  int year;
  std::span<const Option> options;
  Claims claims;
  // Names of what bias_logits and distance_strip add, in order (distance_strip adds the last one).
  std::span<const char* const> bias_terms;
  // Name of the change that transform_projections makes to q·k, or null; with position_channels,
  // of those channels' product too.
  const char* transform_term = nullptr;
  // Axes of the positions that it reads: 0 any number, 1 a text, 2 a grid (row, column), 3 a video
  // (time, row, column), where a text's one axis stands for all three.
  int position_axes = 1;
  CrossAttention cross_attention = CrossAttention::kNone;
  // Families of Hugging Face's config.json that have the scheme, separated by spaces:
  //   model_type?condition&condition:option=value,option==value
  // A condition is key=value, key=value/value, key!=value, or a key that must be there and not be
  // false. An absent key counts as "" and as false, and fulfils every !=. Beside the file's own
  // keys there are `layer_type` and `use_rope`, of one layer, and head_dim. An option's value is
  // taken where the file is silent (=) or always (==); @key is that key's value, @a/@b a ratio,
  // @a-2 a difference, @key~word whether the word is in it, and all of these nothing without the
  // key.
  const char* selects = "";
};

// Refuses positions whose number of axes the scheme does not read. Errors: kInvalidArgument.
Status check_axes(const SchemeDescription& description, const char* argument,
                  const Positions& positions);

// Refuses positions that a table of max_positions rows has not, from `lowest` on. Errors:
// kInvalidArgument.
Status check_table_positions(const Positions& positions, int lowest, int max_positions);

// Values of a scheme's options, parallel to SchemeDescription::options; a choice is its index, a
// list one more than its place in `lists`, and 0 while it is empty.
constexpr int kMostOptions = 32;
constexpr int kMostLists = 4;
struct OptionValues {
  double values[kMostOptions] = {};
  NumberList lists[kMostLists];

  double operator[](int index) const { return values[index]; }
  std::span<const double> list(int index) const {
    return values[index] > 0 ? lists[static_cast<int>(values[index]) - 1].numbers()
                             : std::span<const double>();
  }
  bool operator==(const OptionValues&) const = default;
};

// The sizes that a scheme may depend on.
struct SchemeShape {
  int num_heads = 1;  // H
  int num_kv_heads = 1;  // K, divides H
  int head_dim = 1;  // D
  int value_dim = 0;  // Dv; 0 means D
  int width = 0;  // E; 0 where attention stands alone

  int value_channels() const { return value_dim ? value_dim : head_dim; }
  int model_width() const { return width ? width : num_heads * head_dim; }
};

// ---- What a hook is told.

// Weights of the layer's projections; null where attention stands alone.
struct LayerProjections {
  const float* query = nullptr;  // [H·D, E]
  const float* key = nullptr;  // [K·D, E]
  float* d_query = nullptr;  // null outside training
  float* d_key = nullptr;
};

struct LayerContext {
  int layer = 0;
  Positions query_positions = {};
  Positions key_positions = {};
  RelativeRange distances = {};  // between them; has more rows than they need while decoding
  float scale = 1;  // multiplies q·k
  bool is_causal = false;
  // The scheme's own parameters for this layer, in the order of parameters().
  const float* const* values = nullptr;
  // Where their gradients are added; null outside training.
  float* const* gradients = nullptr;
  // The layer's own query and key projections, for schemes that share them with positions.
  LayerProjections projections = {};
  // What prepare_layer wrote, and where hooks add its gradient (null outside training).
  const float* table = nullptr;
  float* d_table = nullptr;
  // The heads that the table holds, of a scheme with tables_by_head; no count: all of them.
  int first_head = 0, head_count = 0;
};

enum class Projection : std::uint8_t { kQuery, kKey, kValue };

// The rows of a projection: their positions, and what the scheme computed from those (its own
// layout; null where it asks for none).
struct RowPositions {
  Positions positions;
  const float* table = nullptr;
};

// What of LogitTile::work is as bias_logits left it: nothing; at a tile of the same call, of
// whatever head; at the tile before, of the same rows and head.
enum class WorkKept : std::uint8_t { kNothing, kOfCall, kOfBlock };

// Logits of query rows [row0, row0 + rows) and key columns [column0, column0 + columns) of a head.
struct LogitTile {
  int head = 0;  // query head
  int kv_head = 0;
  int row0 = 0;
  int rows = 0;
  int column0 = 0;
  int columns = 0;
  float* logits = nullptr;  // [rows, stride]; holds scale · q·k, hooks add to it
  std::ptrdiff_t stride = 0;
  // [rows] where a hook may add a number for all logits of a row, instead of to each; else null.
  float* offsets = nullptr;
  // For `accumulate`: [rows], the sums of the weights.
  const float* sums = nullptr;
  ConstMatrix q;  // transformed rows of this tile, [rows, D]
  ConstMatrix k;  // [columns, D]
  // The rows of q packed as kernels/panels.h has it, or null where they are too few to.
  const float* q_strips = nullptr;
  // While recording: a zeroed [rows, stride] tile for each of the scheme's bias terms.
  float* const* terms = nullptr;
  // Where the scheme's traversal asks for it: 0 where the query may look and -infinity where not
  // (plus the caller's additive mask), [rows, stride].
  const float* mask = nullptr;
  // Likewise: what the scheme carries from tile to tile of a row, [rows, carry_floats]. Holds what
  // the tile to the right left; the hook leaves what the tile to the left needs.
  float* carry = nullptr;
  // Likewise: working memory of work_floats numbers, and what products pack into. Null while
  // recording.
  float* work = nullptr;
  WorkKept work_kept = WorkKept::kNothing;
  MatmulScratch* matmul = nullptr;

  // Where to add the term of this index: its own tile while recording, else the logits.
  float* term(int index) const { return terms ? terms[index] : logits; }
};

// Gradients that bias_logits_backward reads and may add to.
struct LogitTileGradient {
  // [rows, stride of the tile]: of the whole logits on entry; what the hook adds reaches q·k.
  float* d_logits = nullptr;
  Matrix d_q;  // [rows, D]
  Matrix d_k;  // [columns, D]
  // Where the scheme carries: zero at the first key, and from there on what the hook left in the
  // tile to the left. Backward goes the other way.
  float* carry = nullptr;
};

constexpr int kMostCarryFloats = 4;

// Multiplications and additions that a scheme adds to one forward pass: before the first layer, and
// in each layer. A sine, a logarithm or a look-up counts as one.
struct ExtraFlops {
  double once = 0;
  double layer = 0;
};

// How a bias wants the key tiles of a query block visited, and what with.
struct Traversal {
  bool right_to_left = false;  // last visible tile first
  int carry_floats = 0;  // a row's carry, zero before the first tile
  bool wants_mask = false;  // LogitTile::mask
  int work_floats = 0;  // LogitTile::work
};

// ---- The hooks, in call order.

class Scheme {
 public:
  Scheme();
  virtual ~Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;

  // Distinct for every object ever made, so that a table computed for one is never taken for
  // another's.
  std::uint64_t serial() const { return serial_; }

  // Hooks that these options leave without effect, so that nobody pays for them.
  virtual std::uint32_t idle_hooks() const { return 0; }

  // What the scheme trains. Owners allocate, initialise and update it.
  virtual std::span<const ParameterSpec> parameters() const { return {}; }

  // Whether the scheme is defined at these positions; a table has an end. Called before
  // add_to_embeddings, which may then rely on it. Errors: kInvalidArgument, which names the allowed
  // range.
  virtual Status check_positions(const Positions&) const { return {}; }

  // Whether the scheme is defined between these queries and keys; a window has an end. Called
  // before the other hooks of a layer. Errors: as above.
  virtual Status check_distances(const LayerContext&) const { return {}; }

  // Adds to the token vectors x [T,E], once, before the first layer; may scale them first.
  virtual void add_to_embeddings(const LayerContext&, Matrix /*x*/) const {}
  // Adds the gradients of its parameters, and turns the gradient of what it left in x into that of
  // what it found there, in place.
  virtual void add_to_embeddings_backward(const LayerContext&, Matrix /*d_x*/) const {}

  // What transform_projections needs of `count` positions and of the length of the sequence (one
  // more than the largest position of the call's queries and keys), and of nothing else (cosines
  // and sines, say): its size in floats, and its values. Computed once for every head and layer.
  virtual std::size_t position_table_floats(int /*count*/) const { return 0; }
  virtual void fill_position_table(const Positions&, int /*sequence_length*/,
                                   float* /*table*/) const {}

  // Changes one head of q or k (rarely v) in place, [T,D], before caching and scoring.
  virtual void transform_projections(const LayerContext&, Projection, int /*head*/,
                                     const RowPositions&, Matrix /*x*/) const {}
  // Turns the gradient of the transformed rows into that of the raw rows, in place.
  virtual void transform_projections_backward(const LayerContext&, Projection, int /*head*/,
                                              const RowPositions&, ConstMatrix /*raw*/,
                                              Matrix /*d_x*/) const {}

  // A bias that depends on distance alone: strip[r - low] for the relative positions
  // r = key position - query position, low <= r < high.
  virtual void distance_strip(const LayerContext&, int /*head*/, int /*low*/, int /*high*/,
                              float* /*strip*/) const {}
  virtual void distance_strip_backward(const LayerContext&, int /*head*/, int /*low*/, int /*high*/,
                                       const float* /*d_strip*/) const {}

  // True where hooks of a layer read its projections: such a scheme works in a model only.
  virtual bool needs_projections() const { return false; }

  // Computes what a layer needs once for all its heads (positions times projections, say) from its
  // parameters and the range of its positions: size in floats, values, and gradients. In a text it
  // depends on `distances` alone, not on single positions, unless these have rows by pair.
  virtual std::size_t layer_table_floats(const LayerContext&) const { return 0; }
  // True where the table of all heads may be long, and one of only those that the context names
  // will do: heads then take turns.
  virtual bool tables_by_head() const { return false; }
  virtual void prepare_layer(const LayerContext&, float* /*table*/, MatmulScratch&) const {}
  virtual void prepare_layer_backward(const LayerContext&, MatmulScratch&) const {}

  // The last channels of queries and keys where these hold position alone (a slice beside the
  // content): the recorder counts their whole product to transform_term, and none to the content.
  virtual int position_channels() const { return 0; }

  // Replaces 1/√D; 0 leaves it.
  virtual float logit_scale() const { return 0; }

  // Adds named terms to a tile of logits.
  virtual Traversal traversal() const { return {}; }
  virtual void bias_logits(const LayerContext&, const LogitTile&) const {}
  virtual void bias_logits_backward(const LayerContext&, const LogitTile&,
                                    const LogitTileGradient&) const {}

  // Adds to the weighted sum of values through an accumulator of R floats a row, which the core
  // rescales with the running softmax as it does the sum itself.
  virtual int accumulator_width() const { return 0; }
  // accumulator [rows, R] += what the weights of a tile (in `logits`, not yet normalised) say.
  virtual void accumulate(const LayerContext&, const LogitTile& /*weights*/,
                          float* /*accumulator*/) const {}
  // Adds to rows of a head's output [rows, Dv], from the accumulator [rows, R]; neither is
  // normalised yet. The block is a tile without columns, with its working memory.
  virtual void adjust_output(const LayerContext&, const LogitTile& /*block*/,
                             const float* /*accumulator*/, Matrix /*output*/) const {}
  // Adds to d_weights [rows, stride] what the output's gradient [rows, Dv] says about the
  // normalised weights of a tile (in `logits`), before the gradients of logits are formed.
  virtual void adjust_output_backward(const LayerContext&, const LogitTile& /*weights*/,
                                      ConstMatrix /*d_output*/, float* /*d_weights*/) const {}

  // True where keys must be cached as they are and transformed anew at each step, because the
  // transform changes with the length.
  virtual bool caches_raw_keys() const { return false; }

  // After an optimiser step: brings parameters back into their range.
  virtual void constrain(float* const* /*values*/) const {}

  // For T queries and S keys without a mask, as the code computes them.
  virtual ExtraFlops extra_flops(const SchemeShape&, double /*queries*/, double /*keys*/) const {
    return {};
  }

  // Pairs of channels that turn together, as channel indices (a0,b0,a1,b1,…); the recorder splits
  // q·k over them. Returns the number of pairs; `pairs` has room for D indices.
  virtual int channel_pairs(std::int32_t* /*pairs*/) const { return 0; }
  // Radians a unit of position turns each pair by, and the factor on cosine and sine, for sequences
  // of this length. Returns the number of frequencies; `frequencies` has room for D/2.
  virtual int frequencies(int /*sequence_length*/, double* /*frequencies*/,
                          double* /*attention_factor*/) const {
    return 0;
  }

 private:
  std::uint64_t serial_;
};

// ---- Hooks of a class, computed and not typed by hand.

enum Hook : std::uint32_t {
  kHookEmbeddings = 1u << 0,
  kHookTransform = 1u << 1,
  kHookDistanceStrip = 1u << 2,
  kHookBias = 1u << 3,
  kHookParameters = 1u << 4,
  kHookPrepare = 1u << 5,
  kHookOutput = 1u << 6,
  kHookScale = 1u << 7,
  kHookConstrain = 1u << 8,
};

// A member pointer names the class that declares the member, so the types of two differ exactly
// where Derived overrides.
#define WF_OVERRIDES(member) \
  (!std::is_same_v<decltype(&Derived::member), decltype(&Scheme::member)>)

template <class Derived>
constexpr std::uint32_t hooks_of() {
  return (WF_OVERRIDES(add_to_embeddings) ? kHookEmbeddings : 0u) |
         (WF_OVERRIDES(transform_projections) ? kHookTransform : 0u) |
         (WF_OVERRIDES(distance_strip) ? kHookDistanceStrip : 0u) |
         (WF_OVERRIDES(bias_logits) ? kHookBias : 0u) |
         (WF_OVERRIDES(parameters) ? kHookParameters : 0u) |
         (WF_OVERRIDES(prepare_layer) ? kHookPrepare : 0u) |
         (WF_OVERRIDES(adjust_output) ? kHookOutput : 0u) |
         (WF_OVERRIDES(logit_scale) ? kHookScale : 0u) |
         (WF_OVERRIDES(constrain) ? kHookConstrain : 0u);
}

#undef WF_OVERRIDES

// A list of schemes stacked in one layer keeps this many at most, and each this many parameters;
// the layers of a model have this many different lists at most.
constexpr int kMostStackedSchemes = 4;
constexpr int kMostStacks = 8;
constexpr int kMostSchemeParameters = 16;

// How a model makes the queries, keys and values of a layer. Latent: one vector [c | slice] for
// each token, from whose c the content of every key and every value are made
// (model/latent_projection).
struct ProjectionPlan {
  int rank = 0;  // channels of c; 0: a matrix each for queries, keys and values
  int query_rank = 0;  // queries come from a vector of their own this wide; 0: from the input
  int content = 0;  // channels of a head's query and key before the slice
  int slice = 0;  // the last channels of a key, which all heads share
  int value_dim = 0;  // channels of a head's value; 0: D

  bool is_latent() const { return rank > 0; }
  int cached() const { return rank + slice; }  // what a latent layer keeps of a token
};

// One line of the registry.
struct SchemeEntry {
  const SchemeDescription* description;
  std::uint32_t hooks;
  Result<std::unique_ptr<Scheme>> (*make)(const SchemeShape&, const OptionValues&);
  // Null where the scheme leaves projections as they are. Defined for whatever `make` accepts.
  ProjectionPlan (*projections)(const SchemeShape&, const OptionValues&) = nullptr;
};

// `new` that cannot throw, for the entries' make functions.
template <class Derived, class... Arguments>
Result<std::unique_ptr<Scheme>> new_scheme(Arguments&&... arguments) {
  std::unique_ptr<Scheme> scheme(new (std::nothrow) Derived(std::forward<Arguments>(arguments)...));
  if (!scheme) return Status::error(Code::kOutOfMemory, "out of memory: a scheme");
  return scheme;
}

}  // namespace wf
