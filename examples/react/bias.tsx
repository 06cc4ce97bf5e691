import { useEffect, useState } from "react";
import { load as loadThreads } from "whereformer/threads";
import { load as loadWorker, type RemoteEngine } from "whereformer/worker";
import { load } from "whereformer";
import "whereformer/elements";

const sizes = { numHeads: 2, headDim: 4 };

export function Bias() {
  const [said, setSaid] = useState({ here: "", worker: "", threads: "" });

  // React may run the effect twice: the signal ends the first run.
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    let remote: RemoteEngine | undefined;
    const work = async () => {
      const wf = await load({ signal });
      const here = wf.scheme("alibi", sizes).bias([2], [0, 1, 2]).data.join(" ");
      remote = await loadWorker({ signal });
      const far = await remote.scheme("alibi", sizes, { signal });
      const worker = (await far.bias([2], [0, 1, 2], { signal })).data.join(" ");
      const shared = await loadThreads({ threads: 2, signal });
      setSaid({ here, worker, threads: String(shared.threads) });
      shared.dispose();
    };
    work().catch((error) => {
      if (error.code !== "aborted") throw error;
    });
    return () => {
      control.abort();
      remote?.dispose();
    };
  }, []);

  return (
    <>
      <p>ALiBi's bias here: <output id="here">{said.here}</output></p>
      <p>In a worker: <output id="worker">{said.worker}</output></p>
      <p>Threads: <output id="threads">{said.threads}</output></p>
      <wf-who-chases className="wide" />
    </>
  );
}
