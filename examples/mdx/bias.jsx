import { useEffect, useState } from "react";
import { load } from "whereformer";
import { load as loadThreads } from "whereformer/threads";
import { load as loadWorker } from "whereformer/worker";

const sizes = { numHeads: 2, headDim: 4 };

export function Bias() {
  const [said, setSaid] = useState({});
  useEffect(() => {
    const work = async () => {
      const wf = await load();
      const here = wf.scheme("alibi", sizes).bias([2], [0, 1, 2]).data.join(" ");
      const remote = await loadWorker();
      const far = await remote.scheme("alibi", sizes);
      const worker = (await far.bias([2], [0, 1, 2])).data.join(" ");
      const { threads } = await loadThreads({ threads: 2 });
      setSaid({ here, worker, threads });
    };
    work();
  }, []);
  return (
    <>
      <p>ALiBi's bias here: <output id="here">{said.here}</output></p>
      <p>In a worker: <output id="worker">{said.worker}</output></p>
      <p>Threads: <output id="threads">{said.threads}</output></p>
    </>
  );
}
