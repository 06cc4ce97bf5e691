// Written by scripts/build/elements/manifest.mjs from the figures' sources. Do not edit.
import type { GivenCache, GivenCurves, GivenMeasures, GivenTokens, MapNumbers, MapsOnDemand } from "../figure-settings.js";

/** What every figure may be given, as an attribute or a property. */
export interface CommonSettings {
  /** Figures of the same group share text, scheme, layer and other state; without a group each has its own. In the article all figures are one group. */
  group: string | undefined;
  /** `light` or `dark`; by default, or with `auto`, the `color-scheme` of the element around it. */
  theme: "light" | "dark" | "auto" | "" | undefined;
  /** Title in place of the figure's; empty or `none` for no title. */
  heading: string | undefined;
  /** Shows only the picture with its scales and its caption: no controls, notes or actions. */
  compact: boolean;
}

/**
 * Properties by tag. The attribute has the name of the property in small letters, or with a dash:
 * `head-dim`, `text-language`.
 */
export interface FigureSettings {
  /** Two sentences of the same words with arcs of attention, and the bag of words of each. Words of the second can be carried; a switch gives the layer positions. Content of the element is a still picture with the same numbers, shown until the engine has computed them. */
  "wf-word-swap": {
    /** Order of the words in the second sentence, as their indices in the first: `2 1 0` exchanges both ends. */
    order: readonly number[];
    /** Positional encoding of the layer: `nope` for none, or `rope`. */
    scheme: string;
    /** Arcs with bags, or the second sentence's map in numbers. */
    view: "arcs" | "numbers";
  };
  /** A head that looks close by in the texts of its training, on a text 16 times as long: the levels at which it sees ghosts, and the pair of channels that comes round there. */
  "wf-ghosts": {
    /** The model as it is, with ALiBi, without the pair that comes round, or by NTK or YaRN. */
    view: "plain" | "bias" | "without" | "ntk" | "yarn";
    /** Tokens of the text, 128 to 2,048. */
    tokens: number;
    /** Folder of the models, relative to the document. */
    models: string | undefined;
  };
  /** Two orders of the same words through one untrained layer, with or without positions. */
  "wf-who-chases": {
    /** The sentence; empty for the default of the language. */
    text: string;
    /** Index of the word that is exchanged with `second`, from 0. */
    first: number;
    /** Index of the word that is exchanged with `first`, from 0. */
    second: number;
    /** Positional encoding of the layer: `nope` or another of the compared ones. */
    scheme: string;
    /** The unit of a token. */
    unit: "word" | "character";
  };
  /** Exchanges the first two tokens, and shows whether the output of the last one changes. */
  "wf-causal-order": {
    /** The sentence, of at least three words; empty for the default of the language. */
    text: string;
    /** Seed of the untrained weights. */
    seed: number;
  };
  /** A layer of attention as a machine, and the schemes at each of its sockets. */
  "wf-machine": {
    /** The socket that is lit: `word`, `rotation` (query and key), `bias` (the score), or `none`. */
    socket: "none" | any;
  };
  /** A sentence that moves on as a whole, and which schemes' attention maps change with it. */
  "wf-slide": {
    /** Positions by which the sentence has moved on, 0 to 100. */
    shift: number;
  };
  /** The vectors that are added to words, and their effect on a score. */
  "wf-added-position": {
    /** The added vectors: `sinusoidal` or `learned`. */
    scheme: string;
    /** The marked position. */
    position: number;
    /** The marked channel. */
    channel: number;
    /** Base of the wavelengths of sinusoids. */
    base: string;
    /** Head whose W_q and W_k project the vectors, from 0. */
    head: number;
    /** Folder of the trained models, relative to the document. */
    models: string | undefined;
  };
  /** A query and a key as clock hands; the score depends on the angles between them. */
  "wf-turning-pairs": {
    /** Position of the query. */
    query: number;
    /** Position of the key. */
    key: number;
    /** Base of the frequencies; `1.0001` rotates all pairs nearly equally. */
    base: string;
    /** Step of the picture: from a single pair (`one`) to all parts (`all`). */
    step: "one" | "many" | "sum" | "far" | "base" | "all";
  };
  /** A dial for each pair of a head, with the hands of query and key; the angles between them stay while time runs. */
  "wf-clock": {
    /** Position of the query, 0 to 200. */
    query: number;
    /** Position of the key, 0 to 200. */
    key: number;
    /** The chosen pair of channels, from 0; 0 is the fastest. */
    pair: number;
  };
  /** The score of the head with the ghosts by distance, from the strengths of its pairs of channels, beside one pair alone and ALiBi. */
  "wf-head-score": {
    /** The head with `all` its pairs, or `without` the one that comes round. */
    pairs: "all" | "without";
    /** Folder of the trained models, relative to the document. */
    models: string | undefined;
  };
  /** How each method changes the rotating pairs, and which angles are new to them. */
  "wf-stretch": {
    /** The method that changes the frequencies of the pairs. */
    method: "none" | "linear" | "ntk" | "by_parts" | "yarn" | "llama3" | "longrope";
    /** Length of the text as a multiple of the trained length, 1 to 32. */
    factor: number;
    /** The model whose head is shown: the small models here, Llama or Phi. */
    head: "small" | "llama" | "phi";
    /** Rotations in the trained length from which a pair is unchanged (YaRN). */
    fast: number;
    /** Rotations below which a pair is divided (YaRN). */
    slow: number;
  };
  /** Small models tested on longer texts than in training: guess one scheme's recorded results, or train all schemes in this tab. */
  "wf-train-short": {
    /** Ids of the schemes to train, with `formula` for that of the group's `<wf-formula>`; empty for the defaults. */
    schemes: string;
    /** What they learn: `text`, or a task among random symbols. */
    task: "text" | "copy" | "induction";
    /** Folder of the models and the text, relative to the document. */
    models: string | undefined;
  };
  /** One text read by trained models that differ only in their positional encoding. */
  "wf-real-heads": {
    /** Whether maps are read by word or by token; empty for words where a word has several tokens. */
    by: "" | "word" | "token";
    /** The text that the models read; empty for the default of the language. */
    text: string;
    /** Ids of the trained models side by side; empty for the defaults. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty for the default. */
    cell: readonly number[];
    /** Folder of the trained models, relative to the document; the figures of a group share the first one that is set. */
    models: string | undefined;
  };
  /** A sentence read by heads of SmolLM2-135M, with arcs to where each word looks: nearly all run into the first token; without it, the rest is seen. */
  "wf-sink": {
    /** One of the three heads, from 0. */
    head: number;
    /** The share of the first token: kept, or left out and the others' shares taken anew. */
    first: "kept" | "left_out";
  };
  /** Every registered scheme as a card; one of them is open, below its row. */
  "wf-scheme-gallery": {
    /** The text; empty for the default of the language. */
    text: string;
    /** Id of the scheme whose card is open; `-` for none. */
    open: string;
    /** Options of the open scheme that differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Head of the open scheme, counted from 0. */
    head: number;
    /** The marked cell of its map, row and column; empty for the default. */
    cell: readonly number[];
  };
  /** Which channels make a pair, and the loss if they are paired wrongly. */
  "wf-pair-layouts": {
    /** Distance by which the vector is rotated, in positions. */
    distance: number;
    /** Folder of the models, relative to the document. */
    models: string | undefined;
  };
  /** Biases that schemes add to scores by distance, and their map. */
  "wf-distance-bias": {
    /** The scheme whose bias is drawn. */
    scheme: string;
    /** Its first number (clip, longest distance, heads); 0 for the scheme's default. */
    knob: number;
    /** Its other numbers, three of them (buckets of T5; of ALiBi four times the exponent of the flattest slope, and the interpolation; KERPLE's kernel and hundred times p and a; FIRE's query); 0 for the scheme's defaults. */
    numbers: readonly number[];
    /** Layer of a trained bias, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** Folder of the trained models, relative to the document. */
    models: string | undefined;
  };
  /** The trained rotary model on texts longer than in training, with every method: measured in advance, and computed in this tab on request. */
  "wf-longer-reading": {
    /** Ids of the methods side by side; empty for the defaults. */
    methods: string;
    /** Length of the text as a multiple of the trained length. */
    multiple: string;
    /** Language of the held-out text; empty for that of the figure. */
    textLanguage: "" | "en" | "zh";
    /** Folder of the models and the results, relative to the document. */
    models: string | undefined;
  };
  /** "train short, test long" for every scheme, measured in advance; hidden until the reader opens it. */
  "wf-length-curves": {
    /** Ids of the schemes whose curves are shown; empty while they are hidden. */
    schemes: string;
    /** Folder of the models and the results, relative to the document. */
    models: string | undefined;
  };
  /** Tasks that depend on position, and the schemes that learnt them. */
  "wf-probes": {
    /** The task that is shown. */
    task: "copy" | "k_back" | "reverse" | "ordered_recall" | "count" | "sort" | "addition" | "agent";
    /** Folder of the models and the results, relative to the document. */
    models: string | undefined;
  };
  /** One score of each model, split into its terms. */
  "wf-score-terms": {
    /** The text that the models read; empty for the default of the language. */
    text: string;
    /** Ids of the trained models side by side; empty for the defaults. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty for the default. */
    cell: readonly number[];
    /** Folder of the trained models, relative to the document; the figures of a group share the first one that is set. */
    models: string | undefined;
  };
  /** How the chosen head's attention falls with distance, in this text and in the held-out one, and its best scores. */
  "wf-distance-curve": {
    /** The text that the models read; empty for the default of the language. */
    text: string;
    /** Ids of the trained models side by side; empty for the defaults. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty for the default. */
    cell: readonly number[];
    /** Folder of the trained models, relative to the document; the figures of a group share the first one that is set. */
    models: string | undefined;
  };
  /** A surgery on one trained model: its map before and after, and its loss on held-out text. */
  "wf-surgery": {
    /** The model that is changed, one of `schemes`. */
    scheme: string;
    /** The surgery. */
    operation: "zero" | "drop" | "freeze" | "option" | "remap" | "scheme" | "move" | "copy";
    /** The part of the model that is changed. */
    place: "all" | "layer" | "head";
    /** A term, a pair, a number or a scheme; empty for the default. */
    value: string;
    /** The token that is moved, counted from 1; 0 for the default. */
    token: number;
    /** The text that the models read; empty for the default of the language. */
    text: string;
    /** Ids of the trained models side by side; empty for the defaults. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty for the default. */
    cell: readonly number[];
    /** Folder of the trained models, relative to the document; the figures of a group share the first one that is set. */
    models: string | undefined;
  };
  /** A trained model continues a text, and each word that it writes adds its row to the map of one head. */
  "wf-writing": {
    /** The beginning that the model continues; empty for the default of the language. */
    text: string;
    /** Id of the trained model. */
    model: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** Number of tokens that have been written, at most 48. */
    count: number;
    /** Seed of the draws: the same seed writes the same text. */
    seed: number;
    /** Folder of the trained models and their tokenizer, relative to the document. */
    models: string | undefined;
  };
  /** How one cell of a picture attends to the others, by scheme. */
  "wf-picture-positions": {
    /** The scheme whose positions are shown. */
    scheme: string;
    /** Row of the query's cell, from 0. */
    row: number;
    /** Column of the query's cell, from 0. */
    column: number;
    /** Head of the trained model, from 0. */
    head: number;
    /** Side of the grid, in cells, to which a learned table is interpolated. */
    side: number;
    /** Windows of Swin's attention: 4 × 4 cells, the same shifted by 2, or 8 × 8. */
    window: "4" | "shifted" | "8";
    /** Folder of the models, relative to the document. */
    models: string | undefined;
  };
  /** A picture as a model sees it: whom each patch asks, in every head. Model and picture are the page's own, or the reader's. */
  "wf-opened-picture": {
    /** Number of the page's picture, from 0. */
    picture: number;
    /** Layer, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** The token that asks, from 0: class token and registers first, then the patches by row. */
    token: number;
    /** Folder of the page's own models, relative to the document. */
    models: string | undefined;
    /** Address of a picture to look at instead of the page's own, relative to the document. */
    image: string | undefined;
    /** Files of a model to open instead of the page's own: those of a folder. */
    files: readonly File[] | undefined;
  };
  /** Numbers that a cache keeps for a token, by the number of heads that share them. */
  "wf-cache-bytes": {
    /** Heads of queries. */
    heads: number;
    /** Heads of keys and values in grouped attention. */
    groups: number;
    /** Channels of a head. */
    headDim: number;
    /** Channels of the latent vector. */
    rank: number;
    /** Channels of the part that rotates. */
    slice: number;
    /** Layers. */
    layers: number;
    /** Length of the text, in 1,024 tokens. */
    thousands: number;
  };
  /** Why a rotation between two matrices keeps them from being merged. */
  "wf-absorption": {
    /** Tokens between query and key, 0 to 32. */
    distance: number;
    /** The matrix of the key: with the key, or moved to the query. */
    moved: "no" | "yes";
  };
  /** One token of latent attention in its forms, timed on this device. */
  "wf-decoding-forms": {
    /** Tokens in the cache. */
    tokens: string;
  };
  /** How long an attention layer takes with each scheme, on this device, beside its formula. */
  "wf-costs": {
    /** Tokens in the measured layer. */
    tokens: number;
    /** Channels of a head. */
    headDim: number;
    /** Heads. */
    heads: number;
  };
  /** Questions about a planned model, and the recommended schemes with reasons. */
  "wf-chooser": {
    /** Answer to “text or grid?”: 0 or 1. */
    what: number;
    /** Answer to “causal or not?”: 0 or 1. */
    sees: number;
    /** Index of the trained length, from 0: 512 tokens, and up to 131,072. */
    trained: number;
    /** Index of the length that it reads later, from 0. */
    read: number;
    /** Bytes of the cache for a token and layer: 0 for any, then 4,096, 2,048, 1,024 or 512. */
    cache: number;
    /** The existing model: 0 for none, or a checkpoint by its kind, from 1 to 4. */
    start: number;
    /** Folder of the models and the results, relative to the document. */
    models: string | undefined;
  };
  /** The reader's own model, opened in the tab: all heads, one map with its terms, the loss of each token, and bent positions. */
  "wf-open-checkpoint": {
    /** Folder of the page's own models, relative to the document. */
    models: string | undefined;
    /** Files of a model to open instead of the page's own: those of a folder, or one GGUF file. */
    files: readonly File[] | undefined;
  };
  /** A text of up to 2,048 tokens under up to four schemes or trained models, one head's maps side by side, zoomed together; their difference; and beside them a reader's own file, or the checkpoint that the reader has opened. */
  "wf-lab": {
    /** All choices, in the form of the page's address; empty for the defaults. */
    chosen: string;
    /** Address of a file of weights to show beside the maps: JSON, NPY or CSV. */
    src: string | undefined;
    /** Folder of the trained models, relative to the document. */
    models: string | undefined;
  };
  /** A map of up to 4,096 tokens a side, of given numbers or of a call of the engine, to zoom, compare and save. */
  "wf-attention-map": {
    /** [T, S], [H, T, S], [L, H, T, S] or { data, shape }: given numbers, or JSON of them; or functions that return the numbers in view. Null, NaN and minus infinity are masked cells. */
    weights: MapNumbers | MapsOnDemand | string | undefined;
    /** Of the same shape: the map is then `weights − minus`. */
    minus: MapNumbers | string | undefined;
    /** Texts or ids of the rows as a list, JSON, or words with spaces between them; of the columns too, unless `keyTokens` has those. */
    tokens: GivenTokens | undefined;
    /** Texts of the columns, if they differ from those of the rows. */
    keyTokens: GivenTokens | undefined;
    /** Address of a file of weights: JSON (as `weights`, or `{ weights, tokens }`), NPY, CSV or TSV. */
    src: string | undefined;
    /** Id of a scheme in an untrained layer that reads `text`. */
    scheme: string | undefined;
    /** Id of a trained model that reads `text`. */
    model: string | undefined;
    /** Another scheme or model, whose map is subtracted from the first one's. */
    against: string | undefined;
    /** The text; empty for the held-out text. */
    text: string | undefined;
    /** Number of tokens of the held-out text, if there is no text. */
    length: number | undefined;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** `weights`, or of the scores their `sum`, `content` or `position`. */
    show: "weights" | "sum" | "content" | "position";
    /** Folder of the trained models and their tokenizer, relative to the document. */
    models: string | undefined;
    /** How several cells become one point: by the largest (`max`) or the `mean`. */
    reduce: "max" | "mean";
    /** Colours cells by the logarithm. */
    log: boolean;
    /** Leaves out the first column. */
    hideFirst: boolean;
    /** Whether rows and columns are words or tokens. Empty for words in a text that was typed, if some word there has several tokens; given numbers are shown as they stand. */
    by: "" | "word" | "token";
  };
  /** A positional encoding that its reader writes, and what it makes of attention. */
  "wf-formula": {
    /** Known encoding to show in place of the formulas; empty for those, or for ALiBi without any. */
    preset: "" | "alibi" | "kerple" | "t5" | "window" | "rope" | "xpos" | "sinusoidal" | "nope" | "grid_distance" | "grid_rotation" | "grid_sines";
    /** What is added to a score: a formula of i, j, r, h and others. */
    bias: string;
    /** Radians that a pair of channels turns in one step: a formula of k and h. */
    frequency: string;
    /** Radians that a pair turns at a position: a formula of i, k and h, in place of `frequency`. */
    angle: string;
    /** What is added to a channel of a word's vector: a formula of i and c. */
    add: string;
    /** Factor on a channel of a query: a formula of i, c and h. */
    queryScale: string;
    /** Factor on a channel of a key: a formula of j, c and h. */
    keyScale: string;
    /** A constant in place of 1/√D. */
    logitScale: string;
    /** Numbers that formulas read, a line for each: `positive p[H] = 1`. */
    parameters: string;
    /** Channels that turn together: `halves` or `interleaved`. */
    pairing: "" | "halves" | "interleaved";
    /** Head, counted from 0. */
    head: number;
  };
  /** What each layer of a model does about position: its scheme, base and window. The model is one of a list, or that of a given config.json. */
  "wf-layers": {
    /** A model's config.json as an object, instead of one of the models. */
    config: Record<string, unknown> | undefined;
    /** One of the models on show. */
    model: "gemma3" | "smollm3" | "gpt_oss" | "lfm2" | "llama3";
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** Biases that schemes add to scores by distance, for each head, or given curves. */
  "wf-bias-by-distance": {
    /** Id of a scheme whose bias needs no content, as in `wf.schemes`. */
    scheme: string;
    /** The scheme's options that differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Number of heads. */
    heads: number;
    /** Number of distances, from 0. */
    length: number;
    /** The head that is marked, from 0. */
    head: number;
    /** Id of a trained model, whose bias is shown instead of a scheme's. */
    model: string | undefined;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Folder of the trained models, relative to the document. */
    models: string | undefined;
    /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
    curves: GivenCurves | undefined;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** Bytes that a KV cache keeps for a token, for MHA, GQA, MQA and MLA, or for given models. */
  "wf-cache-bars": {
    /** Given models: a list of `{ name, layers, kvHeads, headDim }`, `{ name, rank, slice }` or `{ name, numbers }`. */
    caches: readonly GivenCache[] | undefined;
    /** The bars: some of `mha gqa mqa mla`. */
    kinds: string;
    /** Heads of queries. */
    heads: number;
    /** Heads of keys and values in grouped attention. */
    kvHeads: number;
    /** Channels of a head. */
    headDim: number;
    /** Channels of the latent vector. */
    rank: number;
    /** Channels of the part that rotates. */
    slice: number;
    /** Layers. */
    layers: number;
    /** Tokens of the whole text. */
    tokens: number;
    /** Bytes of a number. */
    bytes: number;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** Vectors that positions add to token vectors, of any additive scheme, or given ones. */
  "wf-encoding-heatmap": {
    /** Given rows: [positions, channels], or { data, shape }. */
    values: MapNumbers | undefined;
    /** Id of a scheme that adds to token vectors, as in `wf.schemes`. */
    scheme: string;
    /** The scheme's options that differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Base of the wavelengths, if the scheme has one. */
    base: number | undefined;
    /** Number of positions, from 0. */
    length: number;
    /** Number of channels. */
    dim: number;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** Wavelengths of rotary pairs compared with the context, before and after a scaling. */
  "wf-frequency-chart": {
    /** A model's config.json as an object, instead of base, width and scaling. */
    config: Record<string, unknown> | undefined;
    /** Base of the frequencies. */
    base: number;
    /** Channels of a head: two for each pair. */
    dim: number;
    /** Type of the scaling (`linear`, `ntk`, `yarn`, `llama3` …), or its `rope_scaling` as JSON. */
    scaling: string | Record<string, unknown>;
    /** Length of the text as a multiple of the trained length. */
    factor: number;
    /** Trained length in tokens. */
    trained: number;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** All heads of a model as small maps, and as dots by two measures, of a trained model or of given numbers. */
  "wf-heads": {
    /** Numbers of one's own by name, one for each head of each layer: lists of layers, a list with a number for each layer, or { data, shape }; null is a gap. Also the `measures` of a result of `model.heads`. Nothing else is then computed. */
    measures: GivenMeasures | undefined;
    /** Attention weights of all heads, [L, H, T, S]: drawn small, and measured if there are no `measures`. */
    weights: MapNumbers | string | undefined;
    /** Address of a file of weights: JSON (as `weights`), NPY, CSV or TSV. */
    src: string | undefined;
    /** Id of a trained model that reads `text`. */
    model: string;
    /** The text; empty for the default of the language. */
    text: string | undefined;
    /** Folder of the trained models and their tokenizer, relative to the document. */
    models: string | undefined;
    /** Layer of the chosen head, from 0; undefined if none is chosen. */
    layer: number | undefined;
    /** The chosen head, from 0; undefined if none is chosen. */
    head: number | undefined;
    /** The measure across: `previous`, `self`, `first`, `entropy`, `distance`, a name of `measures`, or `layer`. */
    x: string;
    /** The measure upwards, and the colour of a head without a small map. */
    y: string;
  };
  /** The scores of one query as stacks of terms, of a scheme or a model, or given ones. */
  "wf-logit-terms": {
    /** Given terms, lists by name: `{ content: […], position: […] }`. */
    terms: GivenCurves | undefined;
    /** Texts of the keys. */
    tokens: GivenTokens | undefined;
    /** Id of a scheme in an untrained layer that reads `text`. */
    scheme: string;
    /** Id of a trained model that reads `text`. */
    model: string | undefined;
    /** The text; empty for the default of the language. */
    text: string | undefined;
    /** The query, from 0; beyond the end the last one. */
    row: number;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** Folder of the trained models and their tokenizer, relative to the document. */
    models: string | undefined;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** Loss by the length of the test, of this project's schemes, or given curves. */
  "wf-loss-by-length": {
    /** Ids of measured schemes, separated by spaces. */
    schemes: string;
    /** Language of the held-out text; empty for that of the figure. */
    textLanguage: "" | "en" | "zh";
    /** The trained length, as a dashed line; by default that of the measured schemes. */
    trained: number | undefined;
    /** Unit of the axis of losses. */
    unit: string | undefined;
    /** Folder of the models and the results, relative to the document. */
    models: string | undefined;
    /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
    curves: GivenCurves | undefined;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** The angles of a rotary head's pairs at a position, with and without scaling. */
  "wf-rotation-dials": {
    /** The position, from 0. */
    position: number;
    /** A model's config.json as an object, instead of base, width and scaling. */
    config: Record<string, unknown> | undefined;
    /** Base of the frequencies. */
    base: number;
    /** Channels of a head: two for each pair. */
    dim: number;
    /** Type of the scaling (`linear`, `ntk`, `yarn`, `llama3` …), or its `rope_scaling` as JSON. */
    scaling: string | Record<string, unknown>;
    /** Length of the text as a multiple of the trained length. */
    factor: number;
    /** Trained length in tokens. */
    trained: number;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
  /** One scheme of the gallery alone, with its options, its picture and a score as a sum. The page around it has its name and its costs. */
  "wf-scheme": {
    /** Id of the scheme, as in `wf.schemes`. */
    scheme: string;
    /** The text; empty for the default of the language. */
    text: string;
    /** Id of the scheme whose card is open; `-` for none. */
    open: string;
    /** Options of the open scheme that differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Head of the open scheme, counted from 0. */
    head: number;
    /** The marked cell of its map, row and column; empty for the default. */
    cell: readonly number[];
  };
  /** How attention falls with distance, of schemes or models, or for given weights. */
  "wf-weight-by-distance": {
    /** Given attention weights, [T, T] or [H, T, T]: their means by distance are drawn. */
    weights: MapNumbers | string | undefined;
    /** Ids of up to four schemes, separated by spaces, in an untrained layer. */
    scheme: string;
    /** Ids of up to four trained models, separated by spaces, instead of schemes. */
    model: string | undefined;
    /** The text; empty for the default of the language. */
    text: string | undefined;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** Folder of the trained models and their tokenizer, relative to the document. */
    models: string | undefined;
    /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
    curves: GivenCurves | undefined;
    /** Address of a file of given numbers, relative to the document. */
    src: string | undefined;
  };
}
