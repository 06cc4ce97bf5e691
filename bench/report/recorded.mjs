// The recorded run, some rows of which were measured again later.

const hostOf = ({ where, threads }) => `${where} ${threads}`;
const keyOf = (line) => `${line.id} ${hostOf(line)}`;

/**
 * Returns the recorded run with the lines of a later run in place of its own: host by host, each in
 * the order of `ids`, the rows of the table; lines of other rows are left out. `later` names the
 * later runs, each with the keys of those of its lines that are still there.
 */
export function withLines(recorded, { lines, ...run }, ids) {
  const measured = new Set(lines.map(keyOf));
  const isKept = (key) => !measured.has(key);
  const present = [...recorded.lines, ...lines];
  const hosts = [...new Set(present.map(hostOf))];
  const rankOf = (line) => hosts.indexOf(hostOf(line)) * ids.length + ids.indexOf(line.id);
  const all = [...recorded.lines.filter((one) => isKept(keyOf(one))), ...lines]
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => rankOf(a) - rankOf(b));
  const earlier = (recorded.later ?? [])
    .map((one) => ({ ...one, keys: one.keys.filter(isKept) }))
    .filter(({ keys }) => keys.length > 0);
  return { ...recorded, lines: all, later: [...earlier, { ...run, keys: [...measured] }] };
}

/** Returns the command of a run, its date and its machine. */
const originOf = ({ machine, command, commit, date }) =>
  `\`${command}\`, ${date}${commit ? `, commit ${commit}` : ""}, on ${machine.cores} ` +
  `virtual cores of an ${machine.cpu}; ${machine.places.join(", ")}.`;

/** Returns where lines of the recorded run come from, as lines of Markdown. */
export function originText(run, lines) {
  const later = (run.later ?? []).map((one) => {
    const keys = new Set(one.keys);
    const works = lines.filter((line) => keys.has(keyOf(line))).map(({ work }) => work);
    return works.length ? `- ${[...new Set(works)].join("; ")}: ${originOf(one)}` : "";
  });
  const shown = later.filter(Boolean);
  return [originOf(run), "", ...(shown.length ? ["Measured later:", "", ...shown, ""] : [])];
}
