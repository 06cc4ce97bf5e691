/** Surgery in the lab: the trained model, the operation, its value and its place. */
import { html, nothing, type TemplateResult } from "lit";
import { operations } from "../../defaults.js";
import type { MapsAnswer } from "../../engine/both/map-messages.js";
import {
  choose,
  type SurgeryChoice,
  surgeryControl,
  surgeryDetails,
} from "../shared/trained/surgery-controls.js";
import { lossSentence, phraseOf, type SurgeryNames } from "../shared/trained/surgery-sentences.js";
import { openedReader } from "./lab-opened.js";
import type { LabState } from "./lab-state.js";
import type { LabWords } from "./words.js";

export interface SurgeryView extends SurgeryNames {
  state: LabState;
  lab: LabWords;
  /** Answer of the model under surgery, which may be the reader's own. */
  answer: Pick<MapsAnswer, "tokens" | "operated"> | undefined;
  /** The model under surgery, one of these. */
  operated: string;
  models: readonly string[];
  change: (change: Partial<LabState>) => void;
}

export function surgeryControls(view: SurgeryView): TemplateResult | typeof nothing {
  const { state, lab, answer, operated, models, words, nameOf, change } = view;
  if (state.reader !== "model") return nothing;
  const found = answer?.operated;
  const offered = found?.scheme === operated ? found.offer.operations : operations;
  const inForce = state.operation === "none" ? undefined : found?.inForce;
  const none = [{ value: "none", text: lab.noSurgery }];
  const chosen = inForce?.operation ?? state.operation;
  const set = (choice: Partial<SurgeryChoice>) => change(choice);
  const named = models.map((id) => ({ value: id, text: nameOf(id) }));
  const choice = surgeryControl({ words, change: set }, offered, chosen, none);
  if (state.operation === "none") return choice;
  const which =
    models.length > 1
      ? choose("operated", lab.operated, operated, named, (value) =>
          change({ operated: value, value: "" }),
        )
      : nothing;
  const details =
    inForce && surgeryDetails({ ...view, inForce, tokens: answer!.tokens, change: set });
  return html`${choice} ${which} ${details ?? nothing}`;
}

/** Returns the sentence on surgery, its model and its effect on the loss; empty without surgery. */
export function surgerySentence(view: SurgeryView): string {
  const { answer, lab, words, nameOf } = view;
  const { inForce, losses, failure, scheme, textLoss } = answer?.operated ?? {};
  if (!inForce || failure) return "";
  const phrase = phraseOf(inForce, answer!.tokens, view);
  const name = nameOf(scheme!);
  if (scheme === openedReader) {
    const cost = textLoss ? lab.opened.textLoss(textLoss.before, textLoss.after) : "";
    return lab.did(name, `${phrase}${cost}${lab.opened.stop}`);
  }
  return losses!.length
    ? lab.did(name, lossSentence(phrase, losses!, words))
    : lab.didUnseen(name, phrase);
}
