/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { cacheModels } from "../../defaults.js";
import { numbers } from "../../state-fields.js";

export const fields = {
  /** Sizes for which a cache is computed. */
  cacheSizes: numbers("ks", cacheModels.v2),
};
