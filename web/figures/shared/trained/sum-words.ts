/** Words on the difference between a logit that was computed directly and the sum of its terms. */
import type { Bilingual } from "../../../text/index.js";

export interface AsOneWords {
  same: string;
  apart: (error: string) => string;
}

export const asOneWords: Bilingual<AsOneWords> = {
  en: {
    same: "computed as one, the same",
    apart: (error) => `computed as one, ${error} apart`,
  },
  zh: {
    same: "与整个算出的得分相同",
    apart: (error) => `与整个算出的得分相差 ${error}`,
  },
};
