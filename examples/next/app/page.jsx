import { load } from "whereformer";
import { Bias } from "./bias";

// Rendered on the server.
export default async function Page() {
  const wf = await load();
  const bias = wf.scheme("alibi", { numHeads: 2, headDim: 4 }).bias([2], [0, 1, 2]);
  return (
    <>
      <p>ALiBi's bias on the server: <output id="server">{bias.data.join(" ")}</output></p>
      <Bias />
    </>
  );
}
