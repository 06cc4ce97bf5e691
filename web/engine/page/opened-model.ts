/**
 * The model of their own that a reader has opened, for figures other than the one that opened it.
 * It is in that figure's worker: who shows it asks there.
 */
import { Changes } from "../../changes.js";
import type { OpenedModel } from "../both/checkpoint-messages.js";
import type { CheckpointHost } from "./checkpoint-host.js";

export interface OpenedEntry {
  /** Of its file. */
  name: string;
  model: OpenedModel;
  host: CheckpointHost;
}

class OpenedModels {
  readonly changes = new Changes<"opened">();
  /** The last one that was opened; undefined where none is open. */
  entry: OpenedEntry | undefined;

  put(entry: OpenedEntry): void {
    this.entry = entry;
    this.changes.tell("opened");
  }

  /** The figure of this host has closed its model, or left the page. */
  drop(host: CheckpointHost): void {
    if (this.entry?.host !== host) return;
    this.entry = undefined;
    this.changes.tell("opened");
  }
}

export const openedModels = new OpenedModels();
