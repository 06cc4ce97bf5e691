/** Answers of the open model about one picture; the newest question replaces earlier ones. */
import type { Picture } from "whereformer";
import type { LookAnswer, LookRowAnswer } from "../../engine/both/checkpoint-messages.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import type { CheckpointHost } from "../../engine/page/checkpoint-host.js";

/** Maximum answers that are kept, so that a pointer that moves back asks nothing. */
const maxKept = 256;

interface Question {
  token: number;
  layer: number;
}

export class Looks {
  /** What the model said of the picture; undefined until it has looked. */
  seen: LookAnswer | undefined;
  /** The newest answered question. */
  row: LookRowAnswer | undefined;
  failure: Failure | undefined;
  #subject: object | undefined;
  #wanted: Question | undefined;
  #isAsking = false;
  #kept = new Map<string, LookRowAnswer>();

  constructor(
    private readonly host: CheckpointHost,
    private readonly changed: () => void,
  ) {}

  /** Forgets everything, for another model. */
  clear(): void {
    this.#subject = undefined;
    this.#reset();
  }

  #reset(): void {
    this.seen = this.row = this.failure = this.#wanted = undefined;
    this.#kept.clear();
  }

  /** `subject`: identifies the picture. */
  async look(subject: object, picture: Picture): Promise<void> {
    if (this.#subject === subject) return;
    this.#subject = subject;
    this.#reset();
    this.changed();
    await this.#guarded(subject, async () => {
      const seen = await this.host.ask("checkpointLook", { picture });
      if (this.#subject === subject) this.seen = seen;
    });
    this.changed();
  }

  async ask({ token, layer }: Question): Promise<void> {
    // After a failure, only another picture or model asks again.
    if (this.failure) return;
    const known = this.#kept.get(`${token} ${layer}`) ?? this.#kept.get(`${token} all`);
    this.#wanted = known ? undefined : { token, layer };
    if (known && known !== this.row) {
      this.row = known;
      this.changed();
    } else if (!known && !this.#isAsking) await this.#askWanted();
  }

  /** Asks the newest question, and again while there is a newer one. */
  async #askWanted(): Promise<void> {
    const subject = this.#subject!;
    this.#isAsking = true;
    while (this.#wanted && this.#subject === subject) {
      const question = this.#wanted;
      await this.#guarded(subject, async () => {
        const row = await this.host.ask("checkpointLookRow", question);
        if (this.#subject === subject) this.#keep(question, row);
      });
      if (this.#wanted === question) this.#wanted = undefined;
      this.changed();
    }
    this.#isAsking = false;
    // Another picture has come in the meantime.
    if (this.#wanted) await this.#askWanted();
  }

  #keep({ token, layer }: Question, row: LookRowAnswer): void {
    this.row = row;
    if (this.#kept.size === maxKept) this.#kept.clear();
    this.#kept.set(`${token} ${row.layers.length > 1 ? "all" : layer}`, row);
  }

  async #guarded(subject: object, body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (reason) {
      if (this.#subject !== subject) return;
      const failure = failureOf(reason);
      // The next change repeats a cancelled question.
      if (failure.code !== "aborted") this.failure = failure;
    }
  }
}
