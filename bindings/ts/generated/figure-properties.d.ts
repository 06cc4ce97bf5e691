// Written by scripts/build/elements/manifest.mjs from the figures' sources. Do not edit.
import type { GivenCache, GivenCurves, GivenTokens, MapNumbers } from "../figure-settings.js";

/** What every figure may be given, as an attribute or a property. */
export interface CommonSettings {
  /** Figures of one name show the same text, scheme, layer and so on; without a name each has a state of its own. In the article all are one group. */
  group: string | undefined;
  /** `light` or `dark`; without it, or with `auto`, the `color-scheme` of its place decides. */
  theme: "light" | "dark" | "auto" | "" | undefined;
  /** A title of one's own; empty or `none` for no title. */
  heading: string | undefined;
  /** The picture with its scales and its caption alone: no controls, notes or actions. */
  compact: boolean;
}

/**
 * Properties by tag. The attribute has the name of the property in small letters, or with a dash:
 * `head-dim`, `text-language`.
 */
export interface FigureSettings {
  /** A sentence whose words are dragged past one another, and its attention map without positions, whose rows and columns go with them. What stands in the element before is a still picture of it, with the same numbers; they are shown until the engine has computed its own. */
  "wf-word-swap": {
    /** The words as they stand, counted from 0 in their first order: `2 1 0` for both ends exchanged. */
    order: readonly number[];
  };
  /** Two orders of the same words through one untrained layer, with or without positions. */
  "wf-who-chases": {
    /** The sentence; empty for one of the language’s own. */
    text: string;
    /** Which word changes places with `second`, counted from 0. */
    first: number;
    /** Which word changes places with `first`, counted from 0. */
    second: number;
    /** How the layer is told positions: `nope` or another of those that are compared. */
    scheme: string;
    /** What one token is. */
    unit: "word" | "character";
  };
  /** Exchange the first two tokens, keep the last; does its output notice? */
  "wf-causal-order": {
    /** The sentence, of three words or more; empty for one of the language’s own. */
    text: string;
    /** Seed of the untrained weights. */
    seed: number;
  };
  /** Every registered scheme as a card; one of them open, under its row. */
  "wf-scheme-gallery": {
    /** The text that is read; empty for one of the language’s own. */
    text: string;
    /** Id of the scheme whose card is open; `-` for none. */
    open: string;
    /** Options of the open scheme where they differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Head of the open scheme, counted from 0. */
    head: number;
    /** The marked cell of its map, row and column; empty lets the figure choose. */
    cell: readonly number[];
  };
  /** The rows that are added to words, and what is left of them in a score. */
  "wf-added-position": {
    /** What is added: `sinusoidal` or `learned`. */
    scheme: string;
    /** The marked position. */
    position: number;
    /** The marked channel. */
    channel: number;
    /** Base of the wavelengths of sinusoids. */
    base: string;
    /** Head whose W_q and W_k stand between, counted from 0. */
    head: number;
    /** Folder of the trained models, seen from the document. */
    models: string | undefined;
  };
  /** What schemes add to scores by distance, and the map of it. */
  "wf-distance-bias": {
    /** The scheme whose bias is drawn. */
    scheme: string;
    /** Its first number (clip, longest distance, heads); 0 for its own. */
    knob: number;
    /** Its other numbers, three of them (buckets of T5; of ALiBi four times the exponent of the flattest slope, and the interpolation; KERPLE's kernel and hundred times p and a; FIRE's query); 0 for its own. */
    numbers: readonly number[];
    /** Layer of a trained bias, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** Folder of the trained models, seen from the document. */
    models: string | undefined;
  };
  /** A query and a key as clock hands; the score reads the angles between. */
  "wf-turning-pairs": {
    /** Position of the query. */
    query: number;
    /** Position of the key. */
    key: number;
    /** Base of the frequencies; `1.0001` turns all pairs alike. */
    base: string;
    /** How much of it is in view: `one` hand to begin with, `all` of it at the end. */
    step: "one" | "many" | "sum" | "far" | "base" | "all";
  };
  /** Which channels make a pair, and what it costs to mix that up. */
  "wf-pair-layouts": {
    /** By how many positions the vector is turned. */
    distance: number;
    /** Folder of the models, seen from the document. */
    models: string | undefined;
  };
  /** A head that looks close by in the texts of its training, on a text 16 times as long: the levels at which it sees ghosts, and the pair of channels that comes round there. */
  "wf-ghosts": {
    /** What is done to the model: as it is, without the pair that comes round, NTK, YaRN, or ALiBi. */
    view: "plain" | "without" | "ntk" | "yarn" | "bias";
    /** Tokens of the text, 128 to 2,048. */
    tokens: number;
    /** Folder of the models, relative to the document. */
    models: string | undefined;
  };
  /** How each method changes the pairs that turn, and what of it is new to them. */
  "wf-stretch": {
    /** How the pairs are stretched. */
    method: "none" | "linear" | "ntk" | "by_parts" | "yarn" | "llama3" | "longrope";
    /** How many times the trained length, 1 to 32. */
    factor: number;
    /** Whose head: of the small models here, of Llama or of Phi. */
    head: "small" | "llama" | "phi";
    /** Turns in the trained length from which on a pair is kept (YaRN). */
    fast: number;
    /** Turns below which a pair is divided (YaRN). */
    slow: number;
  };
  /** The trained rotary model on texts longer than any in its training, with every way of stretching: measured beforehand, and read in this tab when the reader asks. */
  "wf-longer-reading": {
    /** Ids of the methods side by side; empty for those of the beginning. */
    methods: string;
    /** How many times the trained length is read. */
    multiple: string;
    /** Which held-out text; empty for that of the language. */
    textLanguage: "" | "en" | "zh";
    /** Folder of the models, seen from the document: the results lie there. */
    models: string | undefined;
  };
  /** One text read by trained models that differ only in how they are told positions. */
  "wf-real-heads": {
    /** The text that the models read; empty for one of the language’s own. */
    text: string;
    /** Ids of the trained models side by side; empty for those of the beginning. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty lets the figure choose. */
    cell: readonly number[];
    /** Folder of the trained models, seen from the document; the figures of a group share the first one given. */
    models: string | undefined;
  };
  /** One score of each model, split into the terms that the engine added up. */
  "wf-score-terms": {
    /** The text that the models read; empty for one of the language’s own. */
    text: string;
    /** Ids of the trained models side by side; empty for those of the beginning. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty lets the figure choose. */
    cell: readonly number[];
    /** Folder of the trained models, seen from the document; the figures of a group share the first one given. */
    models: string | undefined;
  };
  /** How the chosen head's attention falls with distance, in this text and over the held-out one, and what it is good at. */
  "wf-distance-curve": {
    /** The text that the models read; empty for one of the language’s own. */
    text: string;
    /** Ids of the trained models side by side; empty for those of the beginning. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty lets the figure choose. */
    cell: readonly number[];
    /** Folder of the trained models, seen from the document; the figures of a group share the first one given. */
    models: string | undefined;
  };
  /** An operation on one trained model, its map before and after, and what it costs on held-out text. */
  "wf-surgery": {
    /** The model that is operated on, one of `schemes`. */
    scheme: string;
    /** What is done to it. */
    operation: "zero" | "drop" | "freeze" | "option" | "scheme" | "move" | "copy";
    /** To how much of it. */
    place: "all" | "layer" | "head";
    /** A term, a pair, a number or a scheme; empty lets the figure choose. */
    value: string;
    /** The token that is moved, counted from 1; 0 lets the figure choose. */
    token: number;
    /** The text that the models read; empty for one of the language’s own. */
    text: string;
    /** Ids of the trained models side by side; empty for those of the beginning. */
    schemes: string;
    /** Layer, counted from 0. */
    layer: number;
    /** Head, counted from 0. */
    head: number;
    /** The marked cell, row and column; empty lets the figure choose. */
    cell: readonly number[];
    /** Folder of the trained models, seen from the document; the figures of a group share the first one given. */
    models: string | undefined;
  };
  /** Guess, train small models in this tab, and test them on longer texts than they were trained on. */
  "wf-train-short": {
    /** Ids of the schemes to train; empty for those of the beginning. */
    schemes: string;
    /** Folder of the models, seen from the document: the text lies there. */
    models: string | undefined;
  };
  /** "train short, test long" for every scheme, measured beforehand; hidden until the reader asks. */
  "wf-length-curves": {
    /** Ids of the schemes whose curves are shown; empty while they are hidden. */
    schemes: string;
    /** Folder of the models, seen from the document: the results lie there. */
    models: string | undefined;
  };
  /** Tasks where position decides, and which schemes learnt them. */
  "wf-probes": {
    /** The task that is shown. */
    task: "copy" | "k_back" | "reverse" | "ordered_recall" | "count" | "sort" | "addition" | "agent";
    /** Folder of the models, seen from the document: what was measured lies there. */
    models: string | undefined;
  };
  /** How one cell of a picture sees the others, by scheme. */
  "wf-picture-positions": {
    /** Whose positions are shown. */
    scheme: string;
    /** Row of the cell that looks, from 0. */
    row: number;
    /** Column of the cell that looks, from 0. */
    column: number;
    /** Head of the trained model, from 0. */
    head: number;
    /** Cells a side to which a learned table is stretched. */
    side: number;
    /** Windows that Swin's bias is confined to: of 4 × 4 cells, those shifted by 2, or 8 × 8. */
    window: "4" | "shifted" | "8";
    /** Folder of the models, seen from the document. */
    models: string | undefined;
  };
  /** What a cache keeps for a token, by how many heads share it. */
  "wf-cache-bytes": {
    /** Heads of queries. */
    heads: number;
    /** Heads of keys and values in grouped attention. */
    groups: number;
    /** Channels of a head. */
    headDim: number;
    /** Channels of the latent vector. */
    rank: number;
    /** Channels of the part that turns. */
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
  };
  /** One token of latent attention in its forms, timed on this device. */
  "wf-decoding-forms": {
    /** Tokens in the cache that is decoded from. */
    tokens: string;
  };
  /** How long an attention layer takes with each scheme, on this device, beside its formula. */
  "wf-costs": {
    /** Tokens of the layer that is measured. */
    tokens: number;
    /** Channels of a head. */
    headDim: number;
    /** Heads. */
    heads: number;
  };
  /** What a reader has, and what follows for the scheme, with the reasons. */
  "wf-chooser": {
    /** Answer to “text or grid?”: 0 or 1. */
    what: number;
    /** Answer to “causal or not?”: 0 or 1. */
    sees: number;
    /** Which of the lengths the model is trained on, from 0: 512 tokens, and up to 131,072. */
    trained: number;
    /** Which of the lengths it reads later, from 0. */
    read: number;
    /** Bytes of the cache for a token and layer: 0 for any, then 4,096, 2,048, 1,024 or 512. */
    cache: number;
    /** What there is: 0 for nothing, or a checkpoint by its kind, from 1 to 4. */
    start: number;
    /** Folder of the models, seen from the document: what was measured lies there. */
    models: string | undefined;
  };
  /** A model of the reader's own, opened in the tab: all heads, one map with its terms, what each token cost, and its positions bent. */
  "wf-open-checkpoint": {
    /** Folder of the page's own models, seen from the document. */
    models: string | undefined;
    /** Files of a model to open in the place of the page's own: a folder's, or one GGUF. */
    files: readonly File[] | undefined;
  };
  /** A text of up to 2,048 tokens under up to four schemes or trained models, one head's maps side by side, locked to each other; their difference; and beside them a reader's own file, or the checkpoint that the reader has opened. */
  "wf-lab": {
    /** All that is chosen, as the address has it; empty for the beginning. */
    chosen: string;
    /** Address of a file of weights that stands beside the maps: JSON, NPY or CSV. */
    src: string | undefined;
    /** Folder of the trained models, seen from the document. */
    models: string | undefined;
  };
  /** A map of up to 4,096 tokens a side, of one's own numbers or of a call of the engine, to be zoomed, compared and taken away. */
  "wf-attention-map": {
    /** [T, S], [H, T, S], [L, H, T, S] or { data, shape }: numbers of one's own, or JSON of them. What is null, not a number or minus infinity is masked. */
    weights: MapNumbers | string | undefined;
    /** Of the same shape: the map is then `weights − minus`. */
    minus: MapNumbers | string | undefined;
    /** Texts or ids of the rows as a list, JSON, or words with spaces between them; of the columns too, unless `keyTokens` has those. */
    tokens: GivenTokens | undefined;
    /** Texts of the columns, where those are not the rows’. */
    keyTokens: GivenTokens | undefined;
    /** Address of a file of weights: JSON (as `weights`, or `{ weights, tokens }`), NPY, CSV or TSV. */
    src: string | undefined;
    /** Id of a scheme in an untrained layer that reads `text`. */
    scheme: string | undefined;
    /** Id of a trained model that reads `text`. */
    model: string | undefined;
    /** Another scheme or model, whose map is taken from the first one's. */
    against: string | undefined;
    /** What is read; empty for the held-out text. */
    text: string | undefined;
    /** Without a text: so many tokens of the held-out text. */
    length: number | undefined;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** `weights`, or of the scores their `sum`, `content` or `position`. */
    show: "weights" | "sum" | "content" | "position";
    /** Folder of the trained models and their tokenizer, seen from the document. */
    models: string | undefined;
    /** What a point shows that stands for several cells: the largest (`max`) or the `mean`. */
    reduce: "max" | "mean";
    /** Colours by the logarithm. */
    log: boolean;
    /** Leaves the first column out. */
    hideFirst: boolean;
  };
  /** What schemes add to scores by distance, head by head, or given curves. */
  "wf-bias-by-distance": {
    /** Id of a scheme whose bias needs no content, as in `wf.schemes`. */
    scheme: string;
    /** The scheme's options where they differ from their defaults, `key:value;key:value`. */
    options: string;
    /** So many heads. */
    heads: number;
    /** So many distances, from 0. */
    length: number;
    /** The head that is marked, from 0. */
    head: number;
    /** Id of a trained model, whose bias is shown in place of a scheme's. */
    model: string | undefined;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Folder of the trained models, seen from the document. */
    models: string | undefined;
    /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
    curves: GivenCurves | undefined;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** Bytes that a KV cache keeps for a token, of MHA, GQA, MQA and MLA or given. */
  "wf-cache-bars": {
    /** Models of one's own: a list of `{ name, layers, kvHeads, headDim }`, `{ name, rank, slice }` or `{ name, numbers }`. */
    caches: readonly GivenCache[] | undefined;
    /** Which bars: some of `mha gqa mqa mla`. */
    kinds: string;
    /** Heads of queries. */
    heads: number;
    /** Heads of keys and values in grouped attention. */
    kvHeads: number;
    /** Channels of a head. */
    headDim: number;
    /** Channels of the latent vector. */
    rank: number;
    /** Channels of the part that turns. */
    slice: number;
    /** Layers. */
    layers: number;
    /** Tokens of the whole text. */
    tokens: number;
    /** Bytes of a number. */
    bytes: number;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** What positions add to token vectors, of any additive scheme or given. */
  "wf-encoding-heatmap": {
    /** Rows of one's own: [positions, channels], or { data, shape }. */
    values: MapNumbers | undefined;
    /** Id of a scheme that adds to token vectors, as in `wf.schemes`. */
    scheme: string;
    /** The scheme's options where they differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Base of the wavelengths, of a scheme that has one. */
    base: number | undefined;
    /** So many positions, from 0. */
    length: number;
    /** So many channels. */
    dim: number;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** Wavelengths of rotary pairs against context, before and after a scaling. */
  "wf-frequency-chart": {
    /** A model's config.json as an object, in the place of base, width and scaling. */
    config: Record<string, unknown> | undefined;
    /** Base of the frequencies. */
    base: number;
    /** Channels of a head: two for each pair. */
    dim: number;
    /** Type of the scaling (`linear`, `ntk`, `yarn`, `llama3` …), or its `rope_scaling` as JSON. */
    scaling: string | Record<string, unknown>;
    /** How many times the trained length is read. */
    factor: number;
    /** Tokens of the training. */
    trained: number;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** The scores of one query as stacks of terms, of a scheme, a model or given. */
  "wf-logit-terms": {
    /** Terms of one's own, lists by name: `{ content: […], position: […] }`. */
    terms: GivenCurves | undefined;
    /** Texts of the keys. */
    tokens: GivenTokens | undefined;
    /** Id of a scheme in an untrained layer that reads `text`. */
    scheme: string;
    /** Id of a trained model that reads `text`. */
    model: string | undefined;
    /** What is read; empty for a text of the language’s own. */
    text: string | undefined;
    /** The query, from 0; beyond the end it is the last one. */
    row: number;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** Folder of the trained models and their tokenizer, seen from the document. */
    models: string | undefined;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** Loss by the length of the test, of this project's schemes or given. */
  "wf-loss-by-length": {
    /** Ids of schemes that were measured, with spaces between them. */
    schemes: string;
    /** Which held-out text; empty for that of the language. */
    textLanguage: "" | "en" | "zh";
    /** The trained length, as a dashed line; without it that of what was measured. */
    trained: number | undefined;
    /** What the axis of losses counts. */
    unit: string | undefined;
    /** Folder of the models, seen from the document: what was measured lies there. */
    models: string | undefined;
    /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
    curves: GivenCurves | undefined;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** Where the pairs of a rotary head point at a position, scaled or not. */
  "wf-rotation-dials": {
    /** The position, from 0. */
    position: number;
    /** A model's config.json as an object, in the place of base, width and scaling. */
    config: Record<string, unknown> | undefined;
    /** Base of the frequencies. */
    base: number;
    /** Channels of a head: two for each pair. */
    dim: number;
    /** Type of the scaling (`linear`, `ntk`, `yarn`, `llama3` …), or its `rope_scaling` as JSON. */
    scaling: string | Record<string, unknown>;
    /** How many times the trained length is read. */
    factor: number;
    /** Tokens of the training. */
    trained: number;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
  /** One scheme of the gallery by itself, with its options, its picture and a score as a sum. What it is called and what it costs stands around it. */
  "wf-scheme": {
    /** Id of the scheme, as in `wf.schemes`. */
    scheme: string;
    /** The text that is read; empty for one of the language’s own. */
    text: string;
    /** Id of the scheme whose card is open; `-` for none. */
    open: string;
    /** Options of the open scheme where they differ from their defaults, `key:value;key:value`. */
    options: string;
    /** Head of the open scheme, counted from 0. */
    head: number;
    /** The marked cell of its map, row and column; empty lets the figure choose. */
    cell: readonly number[];
  };
  /** How attention falls with distance, of schemes, models or given. */
  "wf-weight-by-distance": {
    /** Attention weights of one's own, [T, T] or [H, T, T]: their means by distance are drawn. */
    weights: MapNumbers | string | undefined;
    /** Ids of up to four schemes, with spaces between them, in an untrained layer. */
    scheme: string;
    /** Ids of up to four trained models, with spaces between them, in the place of schemes. */
    model: string | undefined;
    /** What is read; empty for a text of the language’s own. */
    text: string | undefined;
    /** Layer of the trained model, from 0. */
    layer: number;
    /** Head, from 0. */
    head: number;
    /** Folder of the trained models and their tokenizer, seen from the document. */
    models: string | undefined;
    /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
    curves: GivenCurves | undefined;
    /** Address of a file of numbers of one's own, seen from the document. */
    src: string | undefined;
  };
}
