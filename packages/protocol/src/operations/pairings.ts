/** Operations on pairings with senders on chat platforms. */
import { z } from "zod";
import { ApprovePairing, Delivery, EndPairing, Pairing, PairingList } from "../house/channel.ts";
import { declareOperations } from "./operation.ts";

export const pairingOperations = declareOperations("Channels", {
  list: {
    id: "listPairings",
    method: "GET",
    path: "/api/pairings",
    needs: "x on home",
    summary: "Lists senders on chat platforms, newest first",
    answers: { status: 200, schema: PairingList },
  },
  approve: {
    id: "approvePairing",
    method: "POST",
    path: "/api/pairings",
    needs: "x on home",
    requiresKey: "whole",
    summary: "Pairs a sender with a person of the house or a new one",
    description:
      "By the code that the sender received, or by channel and sender. At most five wrong codes a minute. `as` another person requires all of that person's rights.",
    body: ApprovePairing,
    answers: { status: 200, schema: Pairing },
    errors: [
      "grant.exceeds",
      "pairing.not-found",
      "channel.rate-limited",
      "record.not-found",
      "record.invalid",
      "record.version",
    ],
  },
  test: {
    id: "sendTestMessage",
    method: "POST",
    path: "/api/pairings/{channel}/{sender}/test",
    needs: "x on home",
    summary: "Sends a fixed test message to an approved sender",
    description: "The answer comes before the delivery. Its state is in the outbox of the channel.",
    params: { channel: z.string().min(1).max(64), sender: z.string().min(1).max(200) },
    refusesBody: true,
    answers: { status: 200, schema: Delivery },
    errors: ["pairing.not-found"],
  },
  end: {
    id: "endPairing",
    method: "DELETE",
    path: "/api/pairings/{channel}/{sender}",
    needs: "x on home",
    summary: "Blocks a sender, or resets it to unpaired",
    params: { channel: z.string().min(1).max(64), sender: z.string().min(1).max(200) },
    query: EndPairing,
    answers: { status: 204 },
    errors: ["pairing.not-found", "record.version"],
  },
});
