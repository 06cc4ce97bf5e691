/** A picture that a model has looked at: its maps, recorded at once or one layer at a time. */
import type { Model, Picture } from "whereformer";
import type {
  LookAnswer,
  LookQuestion,
  LookRowAnswer,
  LookRowQuestion,
} from "../both/checkpoint-messages.js";

/** Maximum bytes of the maps of all layers; of a larger model one layer is recorded at a time. */
const mapBytes = 128e6;

interface Maps {
  layers: readonly number[];
  /** [layers, heads, tokens, tokens] */
  weights: Float32Array;
}

export class LookedAt {
  #picture: Picture | undefined;
  #maps: Maps | undefined;
  #tokens = 0;

  constructor(private readonly model: Model) {}

  look({ picture }: LookQuestion): LookAnswer {
    const started = performance.now();
    this.#picture = picture;
    this.#maps = undefined;
    // One head of the first layer tells the grid.
    const first = { layers: [0], heads: [0], rows: [0] };
    const { grid } = this.model.look(picture, { record: ["weights"], region: first });
    this.#tokens = grid.special.length + grid.rows * grid.columns;
    this.#record(0);
    return { grid, milliseconds: performance.now() - started };
  }

  /** Records the maps of all layers if they fit, else those of one. */
  #record(layer: number): Maps {
    const { numLayers, numHeads } = this.model.config;
    const isSmall = 4 * numLayers * numHeads * this.#tokens ** 2 <= mapBytes;
    const layers = isSmall ? Array.from({ length: numLayers }, (_, i) => i) : [layer];
    const { weights } = this.model.look(this.#picture!, {
      record: ["weights"],
      region: { layers },
    });
    this.#maps = { layers, weights: weights.data };
    return this.#maps;
  }

  row({ token, layer }: LookRowQuestion): LookRowAnswer {
    const known = this.#maps?.layers.includes(layer) ? this.#maps : this.#record(layer);
    const { layers, weights } = known;
    const tokens = this.#tokens;
    const count = layers.length * this.model.config.numHeads;
    const rows = new Float32Array(count * tokens);
    for (let head = 0; head < count; head++) {
      const at = (head * tokens + token) * tokens;
      rows.set(weights.subarray(at, at + tokens), head * tokens);
    }
    return { token, layers, weights: rows };
  }
}
