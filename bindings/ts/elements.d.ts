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
  "wf-open-checkpoint": { models?: string };
  "wf-real-heads": { models?: string };
  "wf-score-terms": { models?: string };
  "wf-distance-curve": { models?: string };
  "wf-surgery": { models?: string };
  "wf-train-short": { models?: string };
  "wf-length-curves": { models?: string };
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
    "wf-open-checkpoint": ModelsFigureElement;
    "wf-real-heads": ModelsFigureElement;
    "wf-score-terms": ModelsFigureElement;
    "wf-distance-curve": ModelsFigureElement;
    "wf-surgery": ModelsFigureElement;
    "wf-train-short": ModelsFigureElement;
    "wf-length-curves": ModelsFigureElement;
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
