/** Calls about chat platforms: messages in both directions, and pairings with their users. */
import type { Delivery, DeliveryDecision } from "@hearth/protocol";
import { channelOperations, pairingOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createChannelCalls = (connection: Connection) => {
  const { decide, ...calls } = createCalls(connection, channelOperations);
  return {
    ...calls,
    /** Decides what happens to a delivery whose outcome is `unknown`. */
    decide: (delivery: string, decision: DeliveryDecision): Promise<Delivery> => decide(delivery, { decision }),
  };
};

/** Calls about pairings: the platform users whose messages are accepted. */
export const createPairingCalls = (connection: Connection) => {
  const { end, ...calls } = createCalls(connection, pairingOperations);
  return {
    ...calls,
    block: (channel: string, sender: string): Promise<void> => end(channel, sender),
    /** Removes the pairing; the sender is unknown again. */
    forget: (channel: string, sender: string): Promise<void> => end(channel, sender, { how: "forget" }),
  };
};
