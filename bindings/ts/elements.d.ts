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

/** A figure about trained models, or one that reads a file which lies beside them. */
export interface ModelsFigureElement extends FigureElement {
  /**
   * Attribute and property: the folder of the models, seen from the document. The figures of a page
   * share the first one given.
   */
  models: string | undefined;
}

/** One scheme of the gallery by itself. */
export interface SchemeFigureElement extends FigureElement {
  /** Attribute and property: the scheme's id, as in `wf.schemes`. */
  scheme: string;
}

/** A map to zoom into: of one's own numbers, or of a scheme or trained model that reads a text. */
export interface AttentionMapElement extends ModelsFigureElement {
  /** [T, S], heads of maps [H, T, S], or { data, shape }; what is not a number is masked. */
  weights:
    | { data: ArrayLike<number>; shape: readonly number[] }
    | ArrayLike<number>
    | readonly ArrayLike<number>[]
    | readonly (readonly ArrayLike<number>[])[]
    | undefined;
  /** Numbers of the same shape: the map is then `weights − minus`. */
  minus: AttentionMapElement["weights"];
  /** Texts of the rows, and of the columns where those are others. */
  tokens: readonly string[] | undefined;
  keyTokens: readonly string[] | undefined;
  /** Attribute and property: the address of a file of weights, JSON, NPY or CSV. */
  src: string | undefined;
  /** The id of a scheme in an untrained layer, or of a trained model, that reads `text`. */
  scheme: string | undefined;
  model: string | undefined;
  /** Another scheme or model, whose map is taken from the first one's. */
  against: string | undefined;
  text: string | undefined;
  /** Without a text, so many tokens of the held-out text, up to 2,048. */
  length: number | undefined;
  /** From 0. */
  layer: number;
  head: number;
  show: "weights" | "sum" | "content" | "position";
  /** Maps of one name show the same part and mark the same cell. */
  group: string | undefined;
  /** What a point shows that stands for several cells. */
  reduce: "max" | "mean";
  log: boolean;
  /** Attribute `hide-first`: leaves the first column out. */
  hideFirst: boolean;
  /** Shows a file; nothing of it leaves the tab. */
  open(file: Blob): Promise<void>;
}

/** What a tag may be given beside what every element may be given. */
export interface FigureAttributes {
  "wf-word-swap": object;
  "wf-who-chases": object;
  "wf-causal-order": object;
  "wf-scheme-gallery": object;
  "wf-scheme": { scheme?: string };
  "wf-added-position": { models?: string };
  "wf-distance-bias": { models?: string };
  "wf-turning-pairs": object;
  "wf-stretch": object;
  "wf-cache-bytes": object;
  "wf-absorption": object;
  "wf-decoding-forms": object;
  "wf-costs": object;
  "wf-longer-reading": { models?: string };
  "wf-chooser": { models?: string };
  "wf-real-heads": { models?: string };
  "wf-score-terms": { models?: string };
  "wf-distance-curve": { models?: string };
  "wf-surgery": { models?: string };
  "wf-train-short": { models?: string };
  "wf-length-curves": { models?: string };
  "wf-lab": { models?: string };
  "wf-attention-map": {
    src?: string;
    scheme?: string;
    model?: string;
    against?: string;
    text?: string;
    length?: number | string;
    layer?: number | string;
    head?: number | string;
    show?: "weights" | "sum" | "content" | "position";
    models?: string;
    group?: string;
    reduce?: "max" | "mean";
    log?: boolean;
  };
}

type Tags<Common> = { [Tag in keyof FigureAttributes]: FigureAttributes[Tag] & Common };

declare global {
  interface HTMLElementTagNameMap {
    "wf-word-swap": FigureElement;
    "wf-who-chases": FigureElement;
    "wf-causal-order": FigureElement;
    "wf-scheme-gallery": FigureElement;
    "wf-scheme": SchemeFigureElement;
    "wf-added-position": ModelsFigureElement;
    "wf-distance-bias": ModelsFigureElement;
    "wf-turning-pairs": FigureElement;
    "wf-stretch": FigureElement;
    "wf-cache-bytes": FigureElement;
    "wf-absorption": FigureElement;
    "wf-decoding-forms": FigureElement;
    "wf-costs": FigureElement;
    "wf-longer-reading": ModelsFigureElement;
    "wf-chooser": ModelsFigureElement;
    "wf-real-heads": ModelsFigureElement;
    "wf-score-terms": ModelsFigureElement;
    "wf-distance-curve": ModelsFigureElement;
    "wf-surgery": ModelsFigureElement;
    "wf-train-short": ModelsFigureElement;
    "wf-length-curves": ModelsFigureElement;
    "wf-lab": ModelsFigureElement;
    "wf-attention-map": AttentionMapElement;
  }
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
