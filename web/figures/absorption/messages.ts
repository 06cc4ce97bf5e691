/** Question of the figure about absorbed matrices, and the worker's answer. */

/** A query and a key at this distance, in a head with a rotation and in one without. */
export interface AbsorbQuestion {
  distance: number;
}

export interface AbsorbAnswer extends AbsorbQuestion {
  /** W_UQᵀ R W_UK, [rank,rank]: with the rotation R of this distance, and without R. */
  rotated: Float32Array;
  plain: Float32Array;
  /** Largest change of an entry, compared with distance 0. */
  change: number;
  /** The two parts of a latent head's logit, by distance from 0. */
  content: Float32Array;
  position: Float32Array;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    absorb: [AbsorbQuestion, AbsorbAnswer];
  }
}
