/**
 * The reader's own model, in a separate worker: WebAssembly never returns memory, but ending a
 * worker returns all of it. The next model opens in a new worker, so that the open one stays if
 * opening fails.
 */
import type { OpenedModel, OpenQuestion } from "../both/checkpoint-messages.js";
import { failureOf } from "../both/failure.js";
import type { Kind, Questions } from "../both/messages.js";
import { type AskOptions, EngineClient } from "./client.js";

export class CheckpointHost {
  #current: EngineClient | undefined;
  #coming: EngineClient | undefined;
  /**
   * A worker with all scripts loaded: the next model opens without a delay and without the network.
   */
  #spare: EngineClient | undefined;

  /** Returns the model, or undefined if this was cancelled or replaced by a later call. */
  async open(
    question: OpenQuestion,
    onProgress: AskOptions["onProgress"],
  ): Promise<OpenedModel | undefined> {
    this.cancel();
    const client = this.#spare ?? new EngineClient();
    this.#spare = undefined;
    this.#coming = client;
    try {
      const opened = await client.ask(
        "checkpointOpen",
        question,
        onProgress ? { onProgress } : undefined,
      );
      if (this.#coming !== client) return undefined;
      this.#current?.close();
      this.#current = client;
      this.#coming = undefined;
      return opened;
    } catch (reason) {
      if (this.#coming !== client) return undefined;
      this.#coming = undefined;
      client.close();
      throw reason;
    } finally {
      this.prepare();
    }
  }

  /** Stops an opening in progress; a model that is open stays open. */
  cancel(): void {
    const client = this.#coming;
    this.#coming = undefined;
    client?.close();
  }

  /** Frees all memory of the model. */
  close(): void {
    this.cancel();
    this.#current?.close();
    this.#current = undefined;
    this.prepare();
  }

  /** Call when the figure leaves the page. */
  end(): void {
    this.close();
    this.#spare?.close();
    this.#spare = undefined;
  }

  prepare(): void {
    if (this.#spare) return;
    const client = new EngineClient();
    this.#spare = client;
    client.ask("checkpointReady", {}).catch((reason: unknown) => {
      // The script is then fetched again when it is needed, and the error is shown there.
      if (failureOf(reason).code !== "aborted" && this.#spare === client) {
        client.close();
        this.#spare = undefined;
      }
    });
  }

  /** Sends a request to the open model; fails with `aborted` if none is open. */
  ask<K extends Kind>(kind: K, question: Questions[K][0]): Promise<Questions[K][1]> {
    const client = this.#current;
    if (!client) return Promise.reject(Object.assign(new Error("closed"), { code: "aborted" }));
    return client.ask(kind, question);
  }
}
