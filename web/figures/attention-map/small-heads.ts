/** Small maps of all heads in the engine's layer, from one question. */
import type { MapsAnswer, MapsQuestion, SmallHeads } from "../../engine/both/map-messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";

/** Returns blanks as large as the thumbnails, so that nothing moves when those arrive. */
export function blankHeads({ numHeads: heads, tokens }: MapsAnswer): SmallHeads {
  const side = Math.min(tokens.length, 32);
  const values = new Float32Array(heads * side * side).fill(Number.NaN);
  return { heads, rows: side, columns: side, values };
}

export class SmallHeadsLine {
  #line = new NewestWins("maps");
  #asked = "";

  /** Calls back with undefined while new maps are being computed. */
  async ask(question: MapsQuestion, hear: (small: SmallHeads | undefined) => void): Promise<void> {
    const all = { ...question, schemes: question.schemes.slice(0, 1), head: 0, allHeads: true };
    const asked = JSON.stringify(all);
    if (asked === this.#asked) return;
    this.#asked = asked;
    hear(undefined);
    // The question of the map in view reports the failure.
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
