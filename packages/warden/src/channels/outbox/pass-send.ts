/** Passes messages to channels through the choke point before they are sent. */
import type { ChokePoint } from "../../policy/index.ts";
import type { Pass } from "./delivery-attempt.ts";

/** Sends the text that remains after the leak scan. */
export const createPassSend =
  (chokePoint: Pick<ChokePoint, "pass" | "leaks">): Pass =>
  async (send, begin) => {
    const text = chokePoint.leaks.outgoing(send.text);
    const verdict = await chokePoint.pass({ kind: "send", ...send, text }, begin);
    if (verdict.verdict === "on") return text === send.text ? "on" : { text };
    return verdict.verdict === "refused" ? { refused: { code: "channel.refused", message: verdict.text } } : "held";
  };
