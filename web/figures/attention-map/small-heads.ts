/** All heads of the layer that the engine reads with, small: asked for once for all of them. */
import type { MapsAnswer, MapsQuestion, SmallHeads } from "../../engine/both/map-messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";

/** As large as the thumbnails will be, so that nothing moves when they come. */
export function blankHeads({ numHeads: heads, tokens }: MapsAnswer): SmallHeads {
  const side = Math.min(tokens.length, 32);
  const values = new Float32Array(heads * side * side).fill(Number.NaN);
  return { heads, rows: side, columns: side, values };
}

export class SmallHeadsLine {
  #line = new NewestWins("maps");
  #asked = "";

  /** Calls back with nothing while others are on their way. */
  async ask(question: MapsQuestion, hear: (small: SmallHeads | undefined) => void): Promise<void> {
    const all = { ...question, schemes: question.schemes.slice(0, 1), head: 0, allHeads: true };
    const asked = JSON.stringify(all);
    if (asked === this.#asked) return;
    this.#asked = asked;
    hear(undefined);
    // The map that is in view says what has failed.
    const answer = await this.#line.ask(all).catch(() => {
      this.#asked = "";
    });
    if (answer && asked === this.#asked) hear(answer.maps[0]?.small);
  }

  cancel(): void {
    this.#line.cancel();
    this.#asked = "";
  }
}
