/**
 * Importing this module defines the elements; on a server, which has none, it does nothing. It
 * declares their tags for `document.querySelector`, React, Vue and Svelte.
 */

import type {
  FigureEvents,
  FigureHandlers,
  FigureListening,
  VueFigureHandlers,
} from "./figure-events.js";
import type { CommonSettings, FigureSettings } from "./figure-settings.js";

export type * from "./figure-events.js";
export type * from "./figure-settings.js";

/** A figure, which draws itself when the reader scrolls near it. */
export interface FigureElement extends HTMLElement {
  /** The numbers in the picture; undefined until they are computed. */
  readonly data: unknown;
  /** Resolves when the last change is drawn. */
  readonly updateComplete: Promise<boolean>;
}

/** A list may be given as a text: `cell="3 1"`. */
type Written<Settings> = {
  [Name in keyof Settings]?: Settings[Name] extends readonly number[]
    ? Settings[Name] | string
    : Settings[Name];
};

/** `headDim` as `head-dim`. */
type DashedName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${DashedName<Rest>}`
  : Name;
type Dashed<Settings> = {
  [Name in keyof Settings & string as DashedName<Name>]?: Settings[Name];
};

/** Settings of each tag, in addition to the attributes of all elements. */
export type FigureAttributes = {
  [Tag in keyof FigureSettings]: Written<FigureSettings[Tag]> &
    Written<CommonSettings> &
    Dashed<Written<FigureSettings[Tag]>>;
};

export type FigureElements = {
  [Tag in keyof FigureSettings]: FigureListening<FigureEvents<Tag>> &
    FigureElement &
    CommonSettings &
    FigureSettings[Tag] &
    // Shows a file of weights (JSON, NPY, CSV); nothing of it leaves the tab.
    (Tag extends "wf-attention-map" ? { open(file: Blob): Promise<void> } : object);
};

type Tags = keyof FigureAttributes;

declare global {
  interface HTMLElementTagNameMap extends FigureElements {}
}

// A project uses at most one of these frameworks; the lines about the others have no effect then.

// @ts-ignore
type ReactCommon<Element> = import("react").ClassAttributes<Element> &
  // @ts-ignore
  import("react").HTMLAttributes<Element>;
type ReactTags = {
  [Tag in Tags]: FigureAttributes[Tag] & FigureHandlers<Tag> & ReactCommon<FigureElements[Tag]>;
};
// @ts-ignore
declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends ReactTags {}
  }
}

// @ts-ignore
type VueCommon = import("vue").HTMLAttributes & import("vue").ReservedProps;
type VueComponents = {
  [Tag in Tags]: new () => { $props: FigureAttributes[Tag] & VueFigureHandlers<Tag> & VueCommon };
};
// @ts-ignore
declare module "vue" {
  interface GlobalComponents extends VueComponents {}
}

// @ts-ignore
type SvelteCommon<Element> = import("svelte/elements").HTMLAttributes<Element>;
type SvelteTags = {
  [Tag in Tags]: FigureAttributes[Tag] & FigureHandlers<Tag> & SvelteCommon<FigureElements[Tag]>;
};
// @ts-ignore
declare module "svelte/elements" {
  interface SvelteHTMLElements extends SvelteTags {}
}
