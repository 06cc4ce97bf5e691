/** Question of the figure about forms of decoding, and the worker's answer. */

/** Measures how long one token takes to decode with this many tokens in the cache. */
export interface FormsQuestion {
  tokens: number;
}

export const decodingForms = ["expanded", "absorbed", "remade"] as const;
export type DecodingForm = (typeof decodingForms)[number];

export interface MeasuredForm {
  form: DecodingForm;
  microseconds: number;
  /** First and third quartile of the time in microseconds, over all rounds. */
  quartiles: readonly [number, number];
  /** Numbers that the cache keeps for one token. */
  cached: number;
  /** Multiplications and additions for one token. */
  operations: number;
}

export interface FormsAnswer extends FormsQuestion {
  forms: MeasuredForm[];
  /** Largest difference between the outputs of the forms, and the typical size of an entry. */
  difference: number;
  size: number;
  variant: string;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    forms: [FormsQuestion, FormsAnswer];
  }
}
