/** `<wf-machine>`: a layer of attention as a machine, and the schemes at each of its sockets. */
import { css, html, nothing } from "lit";
import type { CellEventDetail } from "../../controls/scene-view.js";
import { define } from "../../define.js";
import type { Cell } from "../../drawing/scene.js";
import type { CatalogueRow, Socket } from "../../engine/both/catalogue-messages.js";
import { engine } from "../../engine/page/client.js";
import { page } from "../../state.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { linkedName } from "../shared/figure/page-link.js";
import { ofState } from "../shared/figure/state-properties.js";
import { machineCode } from "./code.js";
import { drawMachine, socketAt } from "./picture.js";
import { type MachineSocket, machineSockets } from "./state.js";
import { type Counts, machineWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Returns a value for each socket, and for none of them. */
const forEach = <T>(find: (socket: MachineSocket) => T): Record<MachineSocket, T> =>
  Object.fromEntries(machineSockets.map((socket) => [socket, find(socket)])) as Record<
    MachineSocket,
    T
  >;

export class Machine extends FigureElement {
  static override lead = "wf-choice";
  static override properties = {
    ...FigureElement.properties,
    socket: ofState("machineSocket"),
    rows: { state: true },
    pointed: { state: true },
  };

  static override styles = [
    ...figureStyles,
    css`
      wf-scene {
        cursor: pointer;
      }

      /* The lists lie over each other, so that nothing moves when another one shows. */
      .lists {
        display: grid;
        max-width: 44rem;
        color: var(--wf-ink);
      }

      .lists p {
        grid-area: 1 / 1;
        margin: 0;
        line-height: 1.75;
      }

      .lists p[hidden] {
        display: block;
        visibility: hidden;
      }

      a {
        color: inherit;
        text-underline-offset: 3px;
      }

      /* In one line where it fits. */
      .more {
        display: inline-block;
      }
    `,
  ];

  /** The socket that is lit: `word`, `rotation` (query and key), `bias` (the score), or `none`. */
  declare socket: MachineSocket;
  declare rows: readonly CatalogueRow[] | undefined;
  /** The socket at the pointer. */
  declare pointed: Cell | undefined;

  get data() {
    const { rows } = this;
    if (!rows) return undefined;
    const schemes = forEach((socket) => this.#rowsAt(socket).map(({ scheme }) => scheme));
    return { socket: this.state.machineSocket, schemes, counts: this.#counts() };
  }

  protected stateChanged(): void {
    this.fetchNames();
    if (!this.rows) void this.#ask();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      this.rows = await engine.ask("catalogue", {});
    });
  }

  #rowsAt(socket: MachineSocket): CatalogueRow[] {
    return this.rows!.filter((row) =>
      socket === "none" ? !row.sockets.length : row.sockets.includes(socket),
    );
  }

  #counts(): Counts {
    return {
      all: this.rows!.length,
      at: forEach((socket) => this.#rowsAt(socket).length),
      steady: forEach(
        (socket) => this.#rowsAt(socket).filter((row) => row.isShiftInvariant).length,
      ),
    };
  }

  #nameOf = (scheme: string): string =>
    shortTitle(wordsOf(schemeWords(this.state.language), scheme));

  /** The names at each socket, as a sentence. */
  #names(): Record<Socket, string> | undefined {
    if (!this.rows) return undefined;
    const words = this.say(machineWords);
    return forEach((socket) => {
      const names = this.#rowsAt(socket).map(({ scheme }) => this.#nameOf(scheme));
      return words.lists[socket] + names.join(words.joiner) + words.end;
    });
  }

  #onCell = ({ detail }: CustomEvent<CellEventDetail>): void => {
    this.pointed = { row: detail.row, column: detail.column };
    if (detail.chosen) this.change({ machineSocket: socketAt(this.pointed) });
  };

  // -------------------------------------------------------------------------- parts

  /** The schemes of a socket, each a link to its page, and a link to the text about the socket. */
  #list(socket: MachineSocket) {
    const words = this.say(machineWords);
    const [text, href] = words.more[socket];
    const names = this.#rowsAt(socket).map(
      ({ scheme }, at) =>
        html`${at ? words.joiner : nothing}${linkedName(
          scheme,
          this.shared,
          this.#nameOf(scheme),
        )}`,
    );
    const more = page.ownsAddress ? html` <a class="more" href=${href}>${text}</a>` : nothing;
    return html`<p ?hidden=${socket !== this.state.machineSocket}
      >${words.lists[socket]}${names}${words.end}${more}</p
    >`;
  }

  #rows(): string[][] {
    const rows = this.rows!.map(({ scheme, sockets: used, isShiftInvariant }) => [
      scheme,
      used.join(" "),
      isShiftInvariant ? "yes" : "no",
    ]);
    return [["scheme", "sockets", "unchanged_by_a_shift"], ...rows];
  }

  /** The longest title and caption, for which space is kept: nothing moves below them. */
  #longest(counts: Counts | undefined) {
    const { captions, titles } = this.say(machineWords);
    const longestOf = (textOf: (socket: MachineSocket) => string) =>
      machineSockets.map(textOf).reduce((a, b) => (b.length > a.length ? b : a));
    const heading = longestOf((socket) => titles[socket]);
    return counts ? { heading, caption: longestOf((one) => captions[one](counts)) } : { heading };
  }

  protected override render() {
    const words = this.say(machineWords);
    const { machineSocket: socket } = this.state;
    const counts = this.rows && this.#counts();
    const caption = counts ? words.captions[socket](counts) : "";
    const title = words.titles[socket];
    const takeaway = counts && {
      at: "sockets",
      title,
      code: machineCode(),
      table: () => this.#rows(),
      scene: () => this.scene(),
    };
    const set = ({ detail }: CustomEvent<string>) =>
      this.change({ machineSocket: detail as MachineSocket });
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .room=${this.#longest(counts)}
      .waiting=${this.words.waiting}
      .note=${words.note}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-choice
        slot="ask"
        class="socket"
        .label=${words.choice}
        .value=${socket}
        .options=${machineSockets.map((value) => ({ value, text: words.sockets[value] }))}
        @wf-change=${set}
      ></wf-choice>
      <wf-scene
        .label=${`${title}. ${caption}`}
        .hint=${words.keys}
        .draw=${drawMachine(socket, words.labels, this.#names(), words.name)}
        .active=${this.pointed}
        @wf-cell=${this.#onCell}
        @wf-leave=${() => {
          this.pointed = undefined;
        }}
      ></wf-scene>
      ${
        counts
          ? html`<div slot="legend" class="lists">
              ${machineSockets.map((one) => this.#list(one))}
            </div>`
          : nothing
      }
    </wf-frame>`;
  }
}

define("wf-machine", Machine);
