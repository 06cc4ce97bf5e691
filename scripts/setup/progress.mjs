// Progress output of the set-up: one line a step, with bytes if they are known; nothing estimated.

const interactive = Boolean(process.stdout.isTTY) && !process.env.CI;

/** Bytes as a short text in decimal units, as package tools print them. */
export function formatBytes(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Seconds as a short text. */
export function formatSeconds(seconds) {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Prints a plain line. */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

// Lists of steps of which one is in progress.
const active = new Set();
const clearLine = interactive ? "\r\x1b[K" : "";

/**
 * A numbered list of steps. `begin(title)` starts the next one, `note(text)` shows its progress,
 * `end(text)` closes it with the seconds it took. While steps of several lists are in progress,
 * notes and ends name theirs.
 */
export class Steps {
  #total;
  #done = 0;
  #title = "";
  #started = 0;
  #lastNote = "";
  #lastNoteAt = 0;

  constructor(total) {
    this.#total = total;
  }

  begin(title) {
    this.#done += 1;
    this.#title = title;
    this.#started = Date.now();
    this.#lastNote = "";
    this.#lastNoteAt = 0;
    active.add(this);
    say(`${clearLine}[${this.#done}/${this.#total}] ${title}`);
  }

  #line(text) {
    return `${clearLine}      ${active.size > 1 ? `${this.#title}: ` : ""}${text}`;
  }

  /** Adds a step that was not planned. */
  addOne() {
    this.#total += 1;
  }

  /**
   * Avoids repetition: a log gets one note per five seconds, a terminal one line that is rewritten.
   */
  note(text) {
    if (text === this.#lastNote) return;
    const now = Date.now();
    if (now - this.#lastNoteAt < (interactive ? 100 : 5000)) return;
    this.#lastNote = text;
    this.#lastNoteAt = now;
    process.stdout.write(`${this.#line(text)}${interactive ? "" : "\n"}`);
  }

  end(text = "done") {
    const seconds = formatSeconds((Date.now() - this.#started) / 1000);
    say(this.#line(`${text} (${seconds})`));
    active.delete(this);
  }
}
