/**
 * Reply routes: the conversation in which a person requested something whose result comes later,
 * stored as text. A route leads to that conversation only, and only while the channel admits that
 * person there for the same room.
 */
import type { WhyRouteClosed, Store } from "../../kernel/index.ts";
import type { Channels } from "../house-channels.ts";

export const createWhyRouteClosed =
  ({
    store,
    channels,
  }: {
    readonly store: Pick<Store, "select">;
    readonly channels: Pick<Channels, "list">;
  }): WhyRouteClosed =>
  async ({ channel, conversation, sender, person }, room) => {
    if (!channels.list().some(({ name }) => name === channel)) return `the channel "${channel}" no longer exists.`;
    const [senderRow] = await store.select({ table: "senders", where: { channel, external: sender } });
    if (senderRow?.state !== "allowed" || senderRow.person !== person)
      return `the channel "${channel}" no longer admits the person who requested it.`;
    const [conversationRow] = await store.select({ table: "conversations", where: { channel, conversation } });
    return conversationRow?.room === room
      ? undefined
      : `the conversation in "${channel}" where it was requested now belongs to another room.`;
  };
