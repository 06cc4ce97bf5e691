/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { count } from "../../state-fields.js";

export const fields = {
  /**
   * The page's picture, layer and head, counted from 0; and the token that asks, at first an ear of
   * the first picture.
   */
  lookPicture: count("lkp", 0, 2),
  lookLayer: count("lkl", 0, 999),
  lookHead: count("lkh", 0, 999),
  lookToken: count("lkt", 14, 99_999),
};
