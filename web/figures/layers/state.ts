/** The reader's choice in this figure, as a field of the page's state and of its address. */
import { choice } from "../../state-fields.js";

export const fields = {
  /** The model whose layers are drawn, unless a config.json is given. */
  layersModel: choice("ly", "gemma3", ["gemma3", "smollm3", "gpt_oss", "lfm2", "llama3"]),
};
