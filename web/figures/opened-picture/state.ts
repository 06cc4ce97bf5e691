/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { creatureModel } from "../../defaults.js";
import { count } from "../../state-fields.js";

export const fields = {
  /** The page's picture, layer and head, counted from 0, and the token that asks. */
  lookPicture: count("lkp", 0, creatureModel.pictures.length - 1),
  lookLayer: count("lkl", creatureModel.layer, 999),
  lookHead: count("lkh", creatureModel.head, 999),
  lookToken: count("lkt", creatureModel.token, 99_999),
};
