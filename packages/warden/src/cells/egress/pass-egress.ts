/** Requests to the network and messages to channels as effects: nothing crosses before the choke point has let it. */
import type { PassEgress } from "./exchange.ts";
import type { Pass } from "../../channels/outbox/delivery-attempt.ts";
import type { ChokePoint } from "../../policy/effect.ts";
import { NO_TAINT } from "../../policy/taint/turn-taint.ts";
import type { TurnTaints } from "../../policy/taint/turn-taints.ts";

export const createPassEgress =
  (chokePoint: Pick<ChokePoint, "pass">, taints: Pick<TurnTaints, "of" | "reach">): PassEgress =>
  async ({ caller: { activation, signal }, agent: { id, handle }, ...request }, begin) => {
    await taints.reach(activation, request.host);
    const taint = taints.of(activation);
    const effect = {
      ...({ kind: "egress", activation, agent: { id, handle }, signal, taint: taint ?? NO_TAINT } as const),
      ...request,
    };
    const verdict = await chokePoint.pass(effect, begin);
    // A program that waits for its answer cannot wait for a person.
    return verdict.verdict === "on" ? "on" : { why: verdict.text };
  };

/** Sends what the choke point leaves of a text. */
export const createPassSend =
  (chokePoint: Pick<ChokePoint, "pass" | "leaks">): Pass =>
  async (send, begin) => {
    const text = chokePoint.leaks.outgoing(send.text);
    const verdict = await chokePoint.pass({ kind: "send", ...send, text }, begin);
    if (verdict.verdict === "on") return text === send.text ? "on" : { text };
    return verdict.verdict === "refused" ? { refused: { code: "channel.refused", message: verdict.text } } : "held";
  };
