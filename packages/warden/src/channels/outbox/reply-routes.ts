/**
 * Ways back: where somebody asked for what comes later, kept as text beside it. A way leads to that conversation and to no other, and only
 * while whoever asked is heard there in the same room.
 */
import { AgentId, type RoomId } from "@hearth/protocol";
import { z } from "zod";
import type { Channels } from "../channels.ts";
import type { Store } from "../../kernel/store/store.ts";

export const ReplyRoute = z.object({
  channel: z.string(),
  conversation: z.string(),
  /** Who asked, as the platform knows them, and as the house did then. */
  sender: z.string(),
  person: AgentId,
});
export type ReplyRoute = z.infer<typeof ReplyRoute>;

export const readReplyRoute = (text: string | null): ReplyRoute | undefined =>
  text === null ? undefined : ReplyRoute.parse(JSON.parse(text));

export const writeReplyRoute = (way: ReplyRoute | undefined): string | null =>
  way === undefined ? null : JSON.stringify(ReplyRoute.parse(way));

/** Why nothing of this room goes out by the way at present, in words for people. Nothing: it does. */
export type WhyRouteClosed = (way: ReplyRoute, room: RoomId) => Promise<string | undefined>;

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
