/** Calls about chat platforms: messages in both directions, and pairings with their users. */
import {
  type ApprovePairing,
  type ChannelInfo,
  ChannelList,
  ChannelTest,
  Delivery,
  type DeliveryDecision,
  DeliveryList,
  type DeliveryQuery,
  Pairing,
  PairingList,
  type RefusedInbound,
  RefusedInboundList,
} from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

export const createChannelCalls = (connection: Connection) => ({
  list: (): Promise<readonly ChannelInfo[]> => requestJson(connection, ChannelList, "GET", "/api/channels"),
  /** Asks the platform which account the credential belongs to. */
  test: (name: string): Promise<ChannelTest> =>
    requestJson(connection, ChannelTest, "POST", at("/api/channels", name, "test"), { body: {} }),
  /** Outgoing messages, newest first. */
  outbox: (name: string, query: Partial<DeliveryQuery> = {}): Promise<readonly Delivery[]> =>
    requestJson(connection, DeliveryList, "GET", at("/api/channels", name, "outbox"), { query }),
  /** Incoming updates that did not become a message, newest first. */
  refused: (name: string, query: { readonly limit?: number } = {}): Promise<readonly RefusedInbound[]> =>
    requestJson(connection, RefusedInboundList, "GET", at("/api/channels", name, "refused"), { query }),
  /** Decides what happens to a delivery whose outcome is `unknown`. */
  decide: (delivery: string, decision: DeliveryDecision): Promise<Delivery> =>
    requestJson(connection, Delivery, "POST", at("/api/outbox", delivery), { body: { decision } }),
});

/** Calls about pairings: the platform users whose messages are accepted. */
export const createPairingCalls = (connection: Connection) => {
  const remove = async (path: string): Promise<void> => {
    const response = await request(connection, "DELETE", path);
    await response.body?.cancel();
  };
  return {
    list: (): Promise<readonly Pairing[]> => requestJson(connection, PairingList, "GET", "/api/pairings"),
    approve: (who: ApprovePairing): Promise<Pairing> =>
      requestJson(connection, Pairing, "POST", "/api/pairings", { body: who }),
    block: (channel: string, sender: string): Promise<void> => remove(at("/api/pairings", channel, sender)),
    /** Removes the pairing; the sender is unknown again. */
    forget: (channel: string, sender: string): Promise<void> =>
      remove(`${at("/api/pairings", channel, sender)}?how=forget`),
  };
};
