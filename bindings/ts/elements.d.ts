/**
 * Importing this module defines the elements; on a server, where there are none, it does nothing.
 * What is declared here are their tags, for `document.querySelector`, React, Vue and Svelte.
 */

/** A figure: it draws itself when it comes near the window. */
export interface FigureElement extends HTMLElement {
  /** The numbers in the picture; undefined until there are any. */
  readonly data: unknown;
  /** Resolves when what was changed last is drawn. */
  readonly updateComplete: Promise<boolean>;
}

/** What every figure may be given, as an attribute or a property. */
export interface CommonSettings {
  /** Figures of one name show the same; without a name each has a state of its own. */
  group: string | undefined;
  /** Without it, or with `auto`, the `color-scheme` of its place decides. */
  theme: "light" | "dark" | "auto" | "" | undefined;
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

/** One head [T, S], several [H, T, S], or with a shape; what is masked is not a number. */
export type MapNumbers =
  | { data: ArrayLike<number>; shape: readonly number[] }
  | ArrayLike<number>
  | readonly ArrayLike<number>[]
  | readonly (readonly ArrayLike<number>[])[];

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
    weights: MapNumbers | undefined;
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
    tokens: readonly string[] | undefined;
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
    weights: MapNumbers | undefined;
    minus: MapNumbers | undefined;
    tokens: readonly string[] | undefined;
    keyTokens: readonly string[] | undefined;
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

/** A list may be given as a text: `cell="3 1"`. */
type Written<Settings> = {
  [Name in keyof Settings]?: Settings[Name] extends readonly number[]
    ? Settings[Name] | string
    : Settings[Name];
};
type Dashed<Settings> = (Settings extends { headDim: number } ? { "head-dim"?: number } : object) &
  (Settings extends { kvHeads: number } ? { "kv-heads"?: number } : object) &
  (Settings extends { textLanguage: infer Language } ? { "text-language"?: Language } : object) &
  (Settings extends { hideFirst: boolean } ? { "hide-first"?: boolean } : object);

/** What a tag may be given beside what every element may be given. */
export type FigureAttributes = {
  [Tag in keyof FigureSettings]: Written<FigureSettings[Tag]> &
    Written<CommonSettings> &
    Dashed<FigureSettings[Tag]>;
};

/** The reader has changed something: the new values by the names of the properties. */
export type FigureChangeEvent<Tag extends keyof FigureSettings = keyof FigureSettings> =
  CustomEvent<Partial<FigureSettings[Tag]>>;

/** `wf-pick`: the reader has picked a cell, a bar or a point; its place and numbers by name. */
export type FigurePickEvent = CustomEvent<Record<string, unknown>>;

/** What `<wf-open-checkpoint>` fires. */
export interface CheckpointEvents {
  "wf-progress": CustomEvent<{ name: string; loaded: number; total: number }>;
  "wf-opened": CustomEvent<{
    name: string;
    family: string;
    dtype: string;
    numLayers: number;
    numHeads: number;
    parameterCount: number;
    weightBytes: number;
  }>;
  "wf-failed": CustomEvent<{ name: string; code: string; message: string }>;
  "wf-closed": CustomEvent<object>;
}

export type FigureElements = {
  [Tag in keyof FigureSettings]: FigureElement &
    CommonSettings &
    FigureSettings[Tag] &
    // Shows a file of weights (JSON, NPY, CSV); nothing of it leaves the tab.
    (Tag extends "wf-attention-map" ? { open(file: Blob): Promise<void> } : object);
};

type Tags<Common> = { [Tag in keyof FigureAttributes]: FigureAttributes[Tag] & Common };

declare global {
  interface HTMLElementTagNameMap extends FigureElements {}
}

// Of these frameworks a project has one, or none: the lines about the others say nothing then.

// @ts-ignore
type ReactCommon = import("react").ClassAttributes<HTMLElement> &
  // @ts-ignore
  import("react").HTMLAttributes<HTMLElement>;
// @ts-ignore
declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends Tags<ReactCommon> {}
  }
}

// @ts-ignore
type VueCommon = import("vue").HTMLAttributes & import("vue").ReservedProps;
type VueComponents = { [Tag in keyof Tags<VueCommon>]: new () => { $props: Tags<VueCommon>[Tag] } };
// @ts-ignore
declare module "vue" {
  interface GlobalComponents extends VueComponents {}
}

// @ts-ignore
type SvelteCommon = import("svelte/elements").HTMLAttributes<HTMLElement>;
// @ts-ignore
declare module "svelte/elements" {
  interface SvelteHTMLElements extends Tags<SvelteCommon> {}
}
