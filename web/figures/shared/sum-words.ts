/** How a score that was computed as one differs from the sum of its terms, as a figure says it. */
import type { Bilingual } from "../../text/index.js";

export const asOne: Bilingual<(error: string) => string> = {
  en: (error) => (error === "0" ? "computed as one, the same" : `computed as one, ${error} apart`),
  zh: (error) => (error === "0" ? "与整个算出的得分相同" : `与整个算出的得分相差 ${error}`),
};
