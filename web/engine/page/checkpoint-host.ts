/**
 * The reader's own model, in a worker of its own: WebAssembly never gives memory back, a worker
 * that ends gives back all of it. Another model is opened in another worker, so that one which
 * cannot be opened takes nothing away.
 */
import type { OpenedModel, OpenQuestion } from "../both/checkpoint-messages.js";
import { failureOf } from "../both/failure.js";
import type { Kind, Questions } from "../both/messages.js";
import { type AskOptions, EngineClient } from "./client.js";

export class CheckpointHost {
  #current: EngineClient | undefined;
  #coming: EngineClient | undefined;
  /** One that has all the scripts: the next model opens at once, and without the network. */
  #spare: EngineClient | undefined;

  /** The model, or undefined where this was cancelled or overtaken. */
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

  /** Stops what is being opened; what was open stays so. */
  cancel(): void {
    const client = this.#coming;
    this.#coming = undefined;
    client?.close();
  }

  /** Gives back all memory of the model. */
  close(): void {
    this.cancel();
    this.#current?.close();
    this.#current = undefined;
    this.prepare();
  }

  /** For a figure that leaves the page. */
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
      // Then it is fetched when it is wanted, and says there what is wrong.
      if (failureOf(reason).code !== "aborted" && this.#spare === client) {
        client.close();
        this.#spare = undefined;
      }
    });
  }

  /** Asks the open model; `aborted` where there is none any more. */
  ask<K extends Kind>(kind: K, question: Questions[K][0]): Promise<Questions[K][1]> {
    const client = this.#current;
    if (!client) return Promise.reject(Object.assign(new Error("closed"), { code: "aborted" }));
    return client.ask(kind, question);
  }
}
