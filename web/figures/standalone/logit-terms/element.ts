/**
 * `<wf-logit-terms>`: the scores of one query as stacks of terms, of a scheme or a model, or given
 * ones.
 */

import type { GivenCurves } from "whereformer/elements";
import { sightedScheme } from "../../../defaults.js";
import { define } from "../../../define.js";
import type { MapPart } from "../../../engine/both/map-messages.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { plain } from "../../../text/numbers.js";
import { DataFigure, type PickedCell, rowByName } from "../../shared/data/data-figure.js";
import {
  address,
  curveNumbers,
  ofKind,
  text,
  tokenTexts,
  whole,
} from "../../shared/given/kinds.js";
import { askMaps, mapsQuestion } from "../../shared/trained/maps-request.js";
import { givenTermsCode, termsCode } from "./code.js";
import { drawTerms } from "./picture.js";
import { type Terms, termsOf, termsOfAddress, termsOfMaps } from "./terms.js";
import { logitWords } from "./words.js";
import "../../shared/figure/frame.js";

export class LogitTerms extends DataFigure<Terms> {
  static override properties = {
    ...DataFigure.properties,
    terms: ofKind(curveNumbers),
    tokens: ofKind(tokenTexts),
    scheme: ofKind(text, sightedScheme),
    model: ofKind(text),
    text: ofKind(text),
    row: ofKind(whole(), 11),
    layer: ofKind(whole(), 0),
    head: ofKind(whole(), 0),
    models: ofKind(address),
  };

  /** Given terms, lists by name: `{ content: […], position: […] }`. */
  declare terms: GivenCurves | undefined;
  /**
   * Texts of the keys.
   * @type {GivenTokens | undefined}
   */
  declare tokens: readonly string[] | undefined;
  /** Id of a scheme in an untrained layer that reads `text`. */
  declare scheme: string;
  /** Id of a trained model that reads `text`. */
  declare model: string | undefined;
  /** The text; empty for the default of the language. */
  declare text: string | undefined;
  /** The query, from 0; beyond the end the last one. */
  declare row: number;
  /** Layer of the trained model, from 0. */
  declare layer: number;
  /** Head, from 0. */
  declare head: number;
  /** Folder of the trained models and their tokenizer, relative to the document. */
  declare models: string | undefined;
  #content = new NewestWins("maps");
  #position = new NewestWins("maps");

  protected override get origins() {
    return {
      numbers: ["terms"],
      asks: ["scheme", "model", "text", "models"],
      readsModels: true,
    };
  }

  protected get inputs() {
    const { terms, tokens, src, scheme, model, text, row, layer, head, models } = this;
    if (terms || src) return [terms, tokens, src];
    return [scheme, model, text, row, layer, head, models, this.state.language];
  }

  protected async read(signal: AbortSignal): Promise<Terms | undefined> {
    const { terms, tokens, src, scheme, model, row, layer, head, models } = this;
    if (terms) return termsOf(terms, tokens);
    if (src) return termsOfAddress(src, signal);
    const text = this.text || this.shared.models.text;
    const request = { scheme, model, text, layer, head, models, language: this.state.language };
    const ask = (part: MapPart, line: NewestWins<"maps">) =>
      askMaps(line, mapsQuestion(request, part));
    const [content, position] = await Promise.all([
      ask("content", this.#content),
      ask("position", this.#position),
    ]);
    return content && position && termsOfMaps(content, position, row);
  }

  #termName = (name: string): string => this.shared.terms.names[name] ?? name;

  #parts({ terms }: Terms, key: number): string {
    const words = this.say(logitWords);
    return terms
      .map(({ name, values }) => words.part(this.#termName(name), values[key] || 0))
      .join(this.words.join.items);
  }

  #keyName({ keys }: Terms, key: number): string {
    return this.say(logitWords).key(key + 1, keys[key] ?? "");
  }

  #caption(shown: Terms): string {
    const { totals } = shown;
    const best = totals.indexOf(Math.max(...totals));
    const words = this.say(logitWords);
    return words.caption(this.#keyName(shown, best), totals[best]!, this.#parts(shown, best));
  }

  #note({ answer }: Terms): string {
    const words = this.say(logitWords);
    if (!answer) return this.dataWords.given;
    const [name, head] = [answer.schemes[0]!, Math.min(answer.head, answer.numHeads - 1) + 1];
    const layer = Math.min(answer.layer, answer.numLayers - 1) + 1;
    const said =
      answer.reader === "model"
        ? words.noteModel(this.schemeName(name), layer, head)
        : words.noteScheme(this.schemeName(name), head);
    const asked = { layer: answer.numLayers, head: answer.numHeads };
    return (
      said +
      this.beyond("layer", this.layer, asked.layer) +
      this.beyond("head", this.head, asked.head)
    );
  }

  #picture(shown: Terms, label: string) {
    const words = this.say(logitWords);
    const describe = (key: number) =>
      words.cell(this.#keyName(shown, key), this.#parts(shown, key), shown.totals[key]!);
    const { total, y } = words;
    return this.sceneOf(
      label,
      drawTerms({ shown, nameOf: this.#termName, total, y, label: words.name, describe }),
    );
  }

  #table({ terms, totals, keys }: Terms): (string | number)[][] {
    return [
      ["key", "token", ...terms.map(({ name }) => name), "score"],
      ...totals.map((total, key) => {
        const parts = terms.map(({ values }) => (Number.isNaN(values[key]!) ? "" : values[key]!));
        return [key, keys[key] ?? "", ...parts, total];
      }),
    ];
  }

  protected picked({ column }: PickedCell) {
    return this.shown && rowByName(this.#table(this.shown), column);
  }

  protected override render() {
    const words = this.say(logitWords);
    const { shown } = this;
    const isGiven = shown && !shown.answer;
    const title = shown && !isGiven ? words.title(shown.query, shown.row + 1) : words.titleGiven;
    const caption = shown ? this.#caption(shown) : "";
    const rows = shown ? this.#table(shown).slice(1) : [];
    const written = (value: string | number) => (typeof value === "number" ? plain(value) : value);
    return this.framed({
      name: words.name,
      title,
      caption,
      caveat: words.caveat,
      note: shown ? this.#note(shown) : "",
      inside: shown ? this.#picture(shown, `${words.name}. ${caption}`) : "",
      around:
        shown && !isGiven
          ? this.slider(
              "row",
              ...([words.query, shown.row, shown.rows - 1] as const),
              words.at(shown.row + 1, shown.query),
            )
          : "",
      takeaway: shown && {
        at: "logit-terms",
        title,
        code: shown.answer ? termsCode(shown.answer) : givenTermsCode(),
        table: () => this.#table(shown),
        scene: () => this.scene(),
      },
      table: shown && {
        label: this.dataWords.table,
        columns: [
          words.columns[0]!,
          ...shown.terms.map(({ name }) => this.#termName(name)),
          words.columns[1]!,
        ],
        rows: rows.map(([key, token, ...values]) => [
          `${Number(key) + 1} ${token}`.trimEnd(),
          ...values.map(written),
        ]),
      },
    });
  }
}

define("wf-logit-terms", LogitTerms);
