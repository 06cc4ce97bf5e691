/** Question of the sentence that slides: its maps at every shift, in a head of each scheme. */

export interface SlideQuestion {
  /** Ids of the words; equal words have the same id. */
  ids: readonly number[];
}

export interface SlidScheme {
  scheme: string;
  /** Attention weights by shift from 0 [shifts, queries, keys]. */
  weights: Float32Array;
}

export interface SlideAnswer extends SlideQuestion {
  schemes: SlidScheme[];
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    slide: [SlideQuestion, SlideAnswer];
  }
}
