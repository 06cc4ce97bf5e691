/**
 * `<wf-layers>`: what each layer of a model does about position: its scheme, base and window. The
 * model is one of a list, or that of a given config.json.
 */
import { html } from "lit";
import type { CompletedLayer } from "whereformer";
import { blindScheme } from "../../defaults.js";
import { define } from "../../define.js";
import { type CurveLook, type Family, familyOf } from "../../drawing/family-colours.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { DataFigure, type PickedCell, rowByName } from "../shared/data/data-figure.js";
import { fetchJson } from "../shared/data/data-source.js";
import { dropStyles, openLine, takeDrops } from "../shared/data/opened-file.js";
import { ofState } from "../shared/figure/state-properties.js";
import { config as configObject, isObject, ofKind } from "../shared/given/kinds.js";
import { refused } from "../shared/given/refused.js";
import { layersCode } from "./code.js";
import published from "./configs.json";
import type { LayersAnswer } from "./messages.js";
import { drawLayers, type LayerRow } from "./picture.js";
import { type Kind, type LayerFacts, layersWords } from "./words.js";
import "../shared/figure/frame.js";

type Config = Record<string, unknown>;
type Published = keyof typeof published;

/** Returns undefined for a value that JSON cannot hold. */
function inJson(given: unknown): unknown {
  try {
    return JSON.parse(typeof given === "string" ? given : JSON.stringify(given));
  } catch {
    return undefined;
  }
}

/** The family of a layer's first scheme; undefined for a layer without attention. */
const familyIn = (layer: CompletedLayer): Family | undefined =>
  layer.convolution || layer.deltaRule || layer.stateSpace
    ? undefined
    : familyOf(layer.scheme[0]?.id ?? blindScheme);

/** Returns the next shade of a family, after those of the layers before. */
function nextLook(
  looks: readonly (CurveLook | undefined)[],
  family: Family | undefined,
): CurveLook | undefined {
  const before = looks.filter((look) => look?.family === family).length;
  return family && { family, before, line: 0 };
}

export class Layers extends DataFigure<LayersAnswer> {
  static override properties = {
    ...DataFigure.properties,
    config: ofKind(configObject),
    model: ofState("layersModel"),
  };
  static override styles = [...DataFigure.styles, dropStyles];

  /** A model's config.json as an object, instead of one of the models. */
  declare config: Record<string, unknown> | undefined;
  /** One of the models on show. */
  declare model: "gemma3" | "smollm3" | "gpt_oss" | "lfm2" | "llama3";
  #line = new NewestWins("layers");

  constructor() {
    super();
    takeDrops(this, (file) => void this.#open(file));
  }

  protected override get origins() {
    return { numbers: ["config"], asks: ["model"], readsModels: false };
  }

  get #isGiven(): boolean {
    return Boolean(this.config || this.src);
  }

  protected get inputs() {
    const { config, src } = this;
    return this.#isGiven ? [config, src] : [this.state.layersModel];
  }

  async #open(file: File): Promise<void> {
    const given = inJson(await file.text());
    await this.attempt(async () => {
      if (!isObject(given)) throw refused("config", file.name, { expected: "object" });
      this.applyChoice({ config: given });
    });
  }

  async #given(signal: AbortSignal): Promise<Config> {
    const { config, src } = this;
    if (!config && !src) return published[this.state.layersModel].config;
    const given = config ?? (await fetchJson(src!, signal));
    // Copied through JSON, because a store's proxy of an object cannot be sent to a worker.
    const plain = inJson(given);
    if (!isObject(plain)) throw refused(config ? "config" : "src", given, { expected: "object" });
    return plain;
  }

  protected async read(signal: AbortSignal): Promise<LayersAnswer | undefined> {
    return this.#line.ask({ config: await this.#given(signal) });
  }

  #factsOf(layer: CompletedLayer) {
    const { scheme, slidingWindow, chunkSize, convolution = 0, queryKeyNorm } = layer;
    const rotary = scheme.find(({ options }) => "ropeTheta" in options)?.options;
    const { ropeType, factor } = (rotary?.["ropeScaling"] ?? {}) as Record<string, unknown>;
    const rotated = Number(rotary?.["partialRotaryFactor"] ?? 1);
    const sees = chunkSize || slidingWindow || undefined;
    const facts: LayerFacts = {
      schemes: scheme.filter(({ id }) => id !== blindScheme).map(({ id }) => this.schemeName(id)),
      ...(rotary && { base: Number(rotary["ropeTheta"]) }),
      ...(rotated < 1 && { rotated }),
      ...(ropeType !== undefined &&
        ropeType !== "default" && { scaling: { kind: String(ropeType), factor: Number(factor) } }),
      ...(sees && { sees }),
      isChunk: Boolean(chunkSize),
      taps: convolution,
      isDelta: layer.deltaRule ?? false,
      isMamba: layer.stateSpace ?? false,
      hasNorm: queryKeyNorm !== undefined && queryKeyNorm !== "none",
    };
    return facts;
  }

  #rows({ layers }: LayersAnswer): LayerRow[] {
    const words = this.say(layersWords);
    const looks = new Map<string, CurveLook | undefined>();
    return layers.map((layer, at) => {
      const facts = this.#factsOf(layer);
      const text = words.facts(facts);
      if (!looks.has(text)) looks.set(text, nextLook([...looks.values()], familyIn(layer)));
      const told = words.layer(at + 1, text);
      return { sees: facts.taps || facts.sees, look: looks.get(text), text, told };
    });
  }

  #kinds(rows: readonly LayerRow[]): Kind[] {
    const counts = new Map<string, number>();
    for (const { text } of rows) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
  }

  #table(rows: readonly LayerRow[]): (string | number)[][] {
    return [
      ["layer", "what", "sees"],
      ...rows.map(({ text, sees }, at) => [at + 1, text, sees ?? "all"]),
    ];
  }

  protected picked({ row }: PickedCell) {
    return this.shown && rowByName(this.#table(this.#rows(this.shown)), row);
  }

  #caption(shown: LayersAnswer, rows: readonly LayerRow[]): string {
    const words = this.say(layersWords);
    const { layers, hasSinks } = shown;
    const hasNorm = layers.some((layer) => this.#factsOf(layer).hasNorm);
    const said = words.caption(this.#kinds(rows), rows.length);
    return said + (hasSinks ? words.sinks : "") + (hasNorm ? words.norm : "");
  }

  #controls() {
    const words = this.say(layersWords);
    const options = Object.entries(published).map(([value, { name }]) => ({ value, text: name }));
    if (this.#isGiven) options.push({ value: "", text: words.given });
    const choose = ({ detail }: CustomEvent<string>) => {
      if (!detail) return;
      this.config = undefined;
      this.src = undefined;
      this.change({ layersModel: detail as Published });
    };
    return html`<wf-choice
        slot="controls"
        class="model"
        .label=${words.models}
        .value=${this.#isGiven ? "" : this.state.layersModel}
        .options=${options}
        @wf-change=${choose}
      ></wf-choice>
      ${openLine(words, (file) => void this.#open(file))}`;
  }

  protected override render() {
    const words = this.say(layersWords);
    const { shown } = this;
    const rows = shown ? this.#rows(shown) : [];
    const title = shown ? words.title(rows.length, this.#kinds(rows).length) : words.name;
    const caption = shown ? this.#caption(shown, rows) : "";
    const { checkpoint } = published[this.state.layersModel];
    const picture = { rows, label: words.name, axis: words.axis, all: words.all };
    return this.framed({
      name: words.name,
      title,
      caption,
      note: this.#isGiven ? words.noteGiven : words.note(checkpoint),
      caveat: words.caveat,
      inside: shown ? this.sceneOf(`${words.name}. ${caption}`, drawLayers(picture)) : "",
      around: this.#controls(),
      takeaway: shown && {
        at: "layers",
        title,
        code: layersCode(shown.config),
        table: () => this.#table(rows),
        scene: () => this.scene(),
      },
      table: shown && {
        label: this.dataWords.table,
        columns: words.columns,
        rows: rows.map(({ text, sees }, at) => [
          String(at + 1),
          text,
          sees === undefined ? words.all : String(sees),
        ]),
      },
    });
  }
}

define("wf-layers", Layers);
