/** Passes network requests through the choke point before their first byte is sent. */
import { NO_TAINT, type ChokePoint, type TurnTaints } from "../../policy/index.ts";
import type { PassEgress } from "./exchange.ts";

export const createPassEgress =
  (chokePoint: Pick<ChokePoint, "pass">, taints: Pick<TurnTaints, "of" | "reach">): PassEgress =>
  async ({ caller: { activation, signal }, agent: { id, handle }, ...request }, begin) => {
    await taints.reach(activation, request.host);
    const taint = taints.of(activation);
    const effect = {
      kind: "egress" as const,
      activation,
      agent: { id, handle },
      signal,
      taint: taint ?? NO_TAINT,
      ...request,
    };
    const verdict = await chokePoint.pass(effect, begin);
    // A program that waits for its response cannot wait for a person's decision.
    return verdict.verdict === "allowed" ? "allowed" : { why: verdict.text };
  };
