/** Calls about chat platforms: what goes in and out there, and who is heard from them. */
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
  /** Asks the platform who the account is. */
  test: (name: string): Promise<ChannelTest> =>
    requestJson(connection, ChannelTest, "POST", at("/api/channels", name, "test"), { body: {} }),
  /** What goes out, newest first. */
  outbox: (name: string, query: Partial<DeliveryQuery> = {}): Promise<readonly Delivery[]> =>
    requestJson(connection, DeliveryList, "GET", at("/api/channels", name, "outbox"), { query }),
  /** What came in and did not become a message, newest first. */
  refused: (name: string, query: { readonly limit?: number } = {}): Promise<readonly RefusedInbound[]> =>
    requestJson(connection, RefusedInboundList, "GET", at("/api/channels", name, "refused"), { query }),
  /** About a delivery that is `unknown`. */
  decide: (delivery: string, decision: DeliveryDecision): Promise<Delivery> =>
    requestJson(connection, Delivery, "POST", at("/api/outbox", delivery), { body: { decision } }),
});

/** Who is heard from channels. */
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
    /** They are strangers again. */
    forget: (channel: string, sender: string): Promise<void> =>
      remove(`${at("/api/pairings", channel, sender)}?how=forget`),
  };
};
