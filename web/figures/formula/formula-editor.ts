/**
 * The editor of one formula: CodeMirror with a mark at an error, completion of names, undo. The
 * field loads this file when it is shown.
 */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import {
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  Transaction,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from "@codemirror/view";

/** Part of a text, as its indices. */
export interface Span {
  from: number;
  to: number;
}

export interface EditorSettings {
  label: string;
  /** Names that complete what is being typed, and their list's label. */
  names: readonly string[];
  offer: string;
  /** The part that is refused. */
  wrong: Span | undefined;
  isInvalid: boolean;
}

export interface FormulaEditor {
  /** Puts a text in place of the one that is there, if they differ. */
  write(text: string): void;
  set(settings: EditorSettings): void;
  focus(): void;
  dispose(): void;
}

// ------------------------------------------------------------------------ the mark

/** Stands for a part that is missing after the end. */
class Missing extends WidgetType {
  override toDOM(): HTMLElement {
    const mark = document.createElement("mark");
    mark.textContent = "\u00a0\u00a0";
    return mark;
  }
}

const wrong = Decoration.mark({ tagName: "mark" });
const missing = Decoration.widget({ widget: new Missing(), side: 1 });

const markAt = StateEffect.define<Span | undefined>();

function decorationsOf(span: Span | undefined, length: number): DecorationSet {
  if (!span) return Decoration.none;
  const [from, to] = [Math.min(span.from, length), Math.min(span.to, length)];
  return Decoration.set(from < to ? wrong.range(from, to) : missing.range(from));
}

/** The mark moves with the text until the engine has read the new one. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, { changes, effects, newDoc }) =>
    effects.reduce(
      (found, effect) => (effect.is(markAt) ? decorationsOf(effect.value, newDoc.length) : found),
      value.map(changes),
    ),
  provide: (field) => EditorView.decorations.from(field),
});

// ------------------------------------------------------------------------ completion

const nameAtEnd = /[A-Za-z_]\w*(?:\.\w*)?$/;

function completionsFrom(names: readonly string[]) {
  const options = [...new Set(names)].map((label): Completion => ({ label, type: "variable" }));
  return (context: CompletionContext) => {
    const begun = context.matchBefore(nameAtEnd);
    if (!begun && !context.explicit) return null;
    return { from: begun?.from ?? context.pos, options, validFor: /^[\w.]*$/ };
  };
}

// ------------------------------------------------------------------------ the editor

const theme = EditorView.theme({
  "&": { color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "2px solid var(--wf-ink)" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "visible" },
  ".cm-content": { padding: "0.45em 0 0.35em", caretColor: "var(--wf-ink)" },
  ".cm-line": { padding: "0" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--wf-ink)" },
  ".cm-tooltip": {
    border: "1px solid var(--wf-soft)",
    backgroundColor: "var(--wf-paper)",
    color: "var(--wf-ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--wf-mono)", maxHeight: "13em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.35em 0.7em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--wf-ink)",
    color: "var(--wf-paper)",
  },
});

function variableParts({ label, names, offer, isInvalid }: EditorSettings): Extension {
  return [
    autocompletion({
      override: [completionsFrom(names)],
      icons: false,
      filterStrict: true,
      interactionDelay: 0,
    }),
    EditorState.phrases.of({ Completions: offer }),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-invalid": String(isInvalid),
      "aria-describedby": "remark",
      lang: "en",
    }),
  ];
}

/**
 * Makes an editor inside `parent`, in the tree of a shadow root. `typed` is called with the text
 * after each change by the reader.
 */
export function formulaEditor(
  parent: HTMLElement,
  text: string,
  maxCharacters: number,
  settings: EditorSettings,
  typed: (text: string) => void,
): FormulaEditor {
  const variable = new Compartment();
  let last = settings;
  const view = new EditorView({
    parent,
    root: parent.getRootNode() as ShadowRoot,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        keymap.of([
          { key: "Tab", run: acceptCompletion },
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.lineWrapping,
        EditorState.changeFilter.of(({ newDoc }) => newDoc.length <= maxCharacters),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isOurs = transactions.some((one) => one.annotation(Transaction.remote) === true);
          if (docChanged && !isOurs) typed(state.doc.toString());
        }),
        marks,
        theme,
        variable.of(variableParts(settings)),
      ],
    }),
  });
  if (settings.wrong) view.dispatch({ effects: markAt.of(settings.wrong) });
  return {
    write(value) {
      const { doc } = view.state;
      if (doc.toString() === value) return;
      view.dispatch({
        changes: { from: 0, to: doc.length, insert: value },
        annotations: [Transaction.remote.of(true), isolateHistory.of("full")],
        filter: false,
      });
    },
    set(given) {
      const { wrong: span, ...rest } = given;
      const { wrong: lastSpan, ...lastRest } = last;
      const effects: StateEffect<unknown>[] = [];
      if (span?.from !== lastSpan?.from || span?.to !== lastSpan?.to) effects.push(markAt.of(span));
      if (JSON.stringify(rest) !== JSON.stringify(lastRest))
        effects.push(variable.reconfigure(variableParts(given)));
      if (effects.length) view.dispatch({ effects });
      last = given;
    },
    focus: () => view.focus(),
    dispose: () => view.destroy(),
  };
}
