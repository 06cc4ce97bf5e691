// The contents of training.json after a finished run.

/** Seconds of training, over all parts of an interrupted run: each part counts from zero. */
export function secondsAtWork(events) {
  return events.reduce((sum, { seconds }, index) => {
    const next = events[index + 1];
    return !next || next.seconds < seconds ? sum + seconds : sum;
  }, 0);
}

/** About a hundred points `[step, loss]` of the progress, including the first and the last. */
export function lossCurve(events) {
  const every = Math.max(1, Math.floor(events.length / 125));
  return events
    .filter((_, index) => index === 0 || index === events.length - 1 || (index + 1) % every === 0)
    .map(({ step, loss }) => [step, Number(loss.toFixed(4))]);
}

/** Indented JSON, with each point of the loss curve on one line. */
export function formatRecord(record) {
  return JSON.stringify(record, null, 2).replace(
    /\[\s+([-\d.e]+),\s+([-\d.e]+)\s+\]/g,
    (_, step, loss) => `[${step}, ${loss}]`,
  );
}
