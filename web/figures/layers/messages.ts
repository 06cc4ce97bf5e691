/** Question of the figure about a model's layers, and the worker's answer. */
import type { CompletedLayer } from "whereformer";

export interface LayersQuestion {
  /** A config.json. */
  config: Record<string, unknown>;
}

export interface LayersAnswer {
  config: Record<string, unknown>;
  /** From the layer that reads the tokens to the one before the output. */
  layers: CompletedLayer[];
  /** Each head has a learned sink. */
  hasSinks: boolean;
  isCausal: boolean;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    layers: [LayersQuestion, LayersAnswer];
  }
}
