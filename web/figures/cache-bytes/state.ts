/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { cacheModels } from "../../defaults.js";
import { numbers } from "../../state-fields.js";

export const fields = {
  /** Sizes for which a cache is computed. */
  cacheSizes: numbers("ks", cacheModels.v2),
};
