/**
 * Ways back: where somebody asked for what comes later, kept as text beside it. A way leads to that conversation and to no other, and only
 * while whoever asked is heard there in the same room.
 */
import type { WhyRouteClosed, Store } from "../../kernel/index.ts";
import type { Channels } from "../channels.ts";

export const createWhyRouteClosed =
  ({
    store,
    channels,
  }: {
    readonly store: Pick<Store, "select">;
    readonly channels: Pick<Channels, "list">;
  }): WhyRouteClosed =>
  async ({ channel, conversation, sender, person }, room) => {
    if (!channels.list().some(({ name }) => name === channel)) return `the channel "${channel}" is not there any more.`;
    const [known] = await store.select({ table: "senders", where: { channel, external: sender } });
    if (known?.state !== "allowed" || known.person !== person)
      return `whoever asked for it is not let in by "${channel}" any more.`;
    const [there] = await store.select({ table: "conversations", where: { channel, conversation } });
    return there?.room === room
      ? undefined
      : `the conversation in "${channel}" where it was asked for is another room's.`;
  };
