/**
 * The model that a reader has opened, for figures other than the one that opened it. It stays in
 * that figure's worker, to which the other figures send requests.
 */
import { Changes } from "../../changes.js";
import type { OpenedModel } from "../both/checkpoint-messages.js";
import type { CheckpointHost } from "./checkpoint-host.js";

export interface OpenedEntry {
  /** Name of its file. */
  name: string;
  model: OpenedModel;
  host: CheckpointHost;
}

class LastOpenedModel {
  readonly changes = new Changes<"opened">();
  /** The model opened last; undefined if none is open. */
  entry: OpenedEntry | undefined;

  put(entry: OpenedEntry): void {
    this.entry = entry;
    this.changes.tell("opened");
  }

  /** Call when the figure of this host has closed its model or left the page. */
  drop(host: CheckpointHost): void {
    if (this.entry?.host !== host) return;
    this.entry = undefined;
    this.changes.tell("opened");
  }
}

export const openedModels = new LastOpenedModel();
