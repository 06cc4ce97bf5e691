/** What each figure may be given, by its tag. */

/** What every figure may be given, as an attribute or a property. */
export interface CommonSettings {
  /** Figures of one name show the same; without a name each has a state of its own. */
  group: string | undefined;
  /** Without it, or with `auto`, the `color-scheme` of its place decides. */
  theme: "light" | "dark" | "auto" | "" | undefined;
  /** A title of one's own; empty or `none` for no title. */
  heading: string | undefined;
  /** The picture with its scales and its caption alone: no controls, notes or actions. */
  compact: boolean;
}

/** What the figures about one text and one head of trained models have in common. */
export interface ReadingSettings {
  text: string;
  schemes: string;
  layer: number;
  head: number;
  cell: readonly number[];
  /** The folder of the models, seen from the document; a group shares the first one given. */
  models: string | undefined;
}

/**
 * One head [T, S], several [H, T, S], layers of them [L, H, T, S], with a batch of one anywhere
 * before them; or with a shape. A string is read as JSON. What is masked is null, not a number, or
 * minus infinity.
 */
export type MapNumbers =
  | { data: ArrayLike<number | null>; shape: readonly number[] }
  | MapRow
  | readonly MapRow[]
  | readonly (readonly MapRow[])[]
  | readonly (readonly (readonly MapRow[])[])[]
  | readonly (readonly (readonly (readonly MapRow[])[])[])[];

type MapRow = ArrayLike<number | null>;

/** Texts or ids of tokens as a list, as JSON, or as words with spaces between them. */
export type GivenTokens = string | ArrayLike<string | number>;

/** Numbers by a place on the axis: lists, lists by name, or the axis with lines; null is a gap. */
export type GivenCurves =
  | ArrayLike<number | null>
  | readonly ArrayLike<number | null>[]
  | Readonly<Record<string, ArrayLike<number | null>>>
  | {
      x?: ArrayLike<number | null>;
      lines: readonly {
        name?: string;
        values: ArrayLike<number | null>;
        low?: ArrayLike<number | null>;
        high?: ArrayLike<number | null>;
      }[];
    };

/** What a model's cache keeps: as numbers a token and layer, or by what they are counted from. */
export interface GivenCache {
  name: string;
  layers?: number;
  numbers?: number;
  kvHeads?: number;
  headDim?: number;
  rank?: number;
  slice?: number;
}

/** What the elements about rotary pairs have in common. */
export interface RopeSettings {
  config: Record<string, unknown> | undefined;
  src: string | undefined;
  base: number;
  dim: number;
  scaling: string | Record<string, unknown>;
  factor: number;
  trained: number;
}

/**
 * Properties by tag; `custom-elements.json` says what each is. The attribute has the name of the
 * property in small letters, or with a dash: `head-dim`, `text-language`.
 */
export interface FigureSettings {
  "wf-word-swap": {
    order: readonly number[];
  };
  "wf-who-chases": {
    text: string;
    first: number;
    second: number;
    scheme: string;
    unit: "word" | "character";
  };
  "wf-causal-order": {
    text: string;
    seed: number;
  };
  "wf-scheme-gallery": {
    text: string;
    open: string;
    options: string;
    head: number;
    cell: readonly number[];
  };
  "wf-scheme": {
    scheme: string;
    text: string;
    open: string;
    options: string;
    head: number;
    cell: readonly number[];
  };
  "wf-added-position": {
    scheme: string;
    position: number;
    channel: number;
    base: string;
    head: number;
    models: string | undefined;
  };
  "wf-distance-bias": {
    scheme: string;
    knob: number;
    numbers: readonly number[];
    layer: number;
    head: number;
    models: string | undefined;
  };
  "wf-turning-pairs": {
    query: number;
    key: number;
    base: string;
    step: "one" | "many" | "sum" | "far" | "base" | "all";
  };
  "wf-stretch": {
    method: "none" | "linear" | "ntk" | "by_parts" | "yarn" | "llama3" | "longrope";
    factor: number;
    head: "small" | "llama" | "phi";
    fast: number;
    slow: number;
  };
  "wf-cache-bytes": {
    heads: number;
    groups: number;
    headDim: number;
    rank: number;
    slice: number;
    layers: number;
    thousands: number;
  };
  "wf-absorption": {
    distance: number;
  };
  "wf-decoding-forms": {
    tokens: string;
  };
  "wf-costs": {
    tokens: number;
    headDim: number;
    heads: number;
  };
  "wf-longer-reading": {
    methods: string;
    multiple: string;
    textLanguage: "" | "en" | "zh";
    models: string | undefined;
  };
  "wf-chooser": {
    what: number;
    sees: number;
    trained: number;
    read: number;
    cache: number;
    start: number;
    models: string | undefined;
  };
  "wf-real-heads": ReadingSettings;
  "wf-score-terms": ReadingSettings;
  "wf-distance-curve": ReadingSettings;
  "wf-surgery": ReadingSettings & {
    scheme: string;
    operation: "zero" | "drop" | "freeze" | "option" | "scheme" | "move" | "copy";
    place: "all" | "layer" | "head";
    value: string;
    token: number;
  };
  "wf-train-short": {
    schemes: string;
    models: string | undefined;
  };
  "wf-length-curves": {
    schemes: string;
    models: string | undefined;
  };
  "wf-pair-layouts": {
    distance: number;
    models: string | undefined;
  };
  "wf-probes": {
    task:
      | "copy"
      | "k_back"
      | "reverse"
      | "ordered_recall"
      | "count"
      | "sort"
      | "addition"
      | "agent";
    models: string | undefined;
  };
  "wf-picture-positions": {
    scheme: string;
    row: number;
    column: number;
    head: number;
    side: number;
    window: "4" | "shifted" | "8";
    models: string | undefined;
  };
  "wf-open-checkpoint": {
    models: string | undefined;
    files: readonly File[] | undefined;
  };
  "wf-lab": {
    chosen: string;
    src: string | undefined;
    models: string | undefined;
  };
  "wf-encoding-heatmap": {
    values: MapNumbers | undefined;
    src: string | undefined;
    scheme: string;
    options: string;
    base: number | undefined;
    length: number;
    dim: number;
  };
  "wf-bias-by-distance": {
    curves: GivenCurves | undefined;
    src: string | undefined;
    scheme: string;
    options: string;
    heads: number;
    length: number;
    head: number;
    model: string | undefined;
    layer: number;
    models: string | undefined;
  };
  "wf-weight-by-distance": {
    curves: GivenCurves | undefined;
    weights: MapNumbers | string | undefined;
    src: string | undefined;
    scheme: string;
    model: string | undefined;
    text: string | undefined;
    layer: number;
    head: number;
    models: string | undefined;
  };
  "wf-loss-by-length": {
    curves: GivenCurves | undefined;
    src: string | undefined;
    schemes: string;
    textLanguage: "" | "en" | "zh";
    trained: number | undefined;
    unit: string | undefined;
    models: string | undefined;
  };
  "wf-logit-terms": {
    terms: GivenCurves | undefined;
    tokens: GivenTokens | undefined;
    src: string | undefined;
    scheme: string;
    model: string | undefined;
    text: string | undefined;
    row: number;
    layer: number;
    head: number;
    models: string | undefined;
  };
  "wf-rotation-dials": RopeSettings & {
    position: number;
  };
  "wf-frequency-chart": RopeSettings;
  "wf-cache-bars": {
    caches: readonly GivenCache[] | undefined;
    src: string | undefined;
    kinds: string;
    heads: number;
    kvHeads: number;
    headDim: number;
    rank: number;
    slice: number;
    layers: number;
    tokens: number;
    bytes: number;
  };
  "wf-attention-map": {
    weights: MapNumbers | string | undefined;
    minus: MapNumbers | string | undefined;
    tokens: GivenTokens | undefined;
    keyTokens: GivenTokens | undefined;
    src: string | undefined;
    scheme: string | undefined;
    model: string | undefined;
    against: string | undefined;
    text: string | undefined;
    length: number | undefined;
    layer: number;
    head: number;
    show: "weights" | "sum" | "content" | "position";
    reduce: "max" | "mean";
    log: boolean;
    hideFirst: boolean;
    models: string | undefined;
  };
}
