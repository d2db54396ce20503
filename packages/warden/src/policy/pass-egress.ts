/** Requests to the network as effects: nothing crosses before the choke point has let it. */
import type { PassEgress } from "../egress/exchange.ts";
import type { ChokePoint } from "./effect.ts";
import { EMPTY_HAND } from "./hand.ts";
import type { Hands } from "./hands.ts";

export const createPassEgress =
  (chokePoint: Pick<ChokePoint, "pass">, hands: Pick<Hands, "of">): PassEgress =>
  async ({ caller: { activation, signal }, agent: { id, handle }, ...request }, begin) => {
    const hand = hands.of(activation);
    // Whatever it answers, commands of this activation may read it from now on.
    hand?.reach(request.host);
    const effect = {
      ...({ kind: "egress", activation, agent: { id, handle }, signal, hand: hand ?? EMPTY_HAND } as const),
      ...request,
    };
    const verdict = await chokePoint.pass(effect, begin);
    // A program that waits for its answer cannot wait for a person.
    return verdict.verdict === "on" ? "on" : { why: verdict.text };
  };
