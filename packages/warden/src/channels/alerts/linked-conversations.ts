/** Finds the direct conversations of chat platforms that are linked to a person. */
import type { Row, Store } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { AgentId } from "@hearth/protocol";
import type { Channels } from "../house-channels.ts";

export interface LinkedConversationsOptions {
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find">;
  readonly channels: Pick<Channels, "list">;
}

export type LinkedConversation = Pick<Row<"conversations">, "channel" | "conversation">;

/**
 * Returns the conversations in which only the person reads: direct ones of configured channels,
 * whose last sender is admitted as this person.
 */
export const createLinkedConversations =
  ({ store, records, channels }: LinkedConversationsOptions) =>
  async (person: AgentId): Promise<readonly LinkedConversation[]> => {
    const isLinked = async ({ channel, conversation, room }: Row<"conversations">): Promise<boolean> => {
      const record = await records.find("room", room);
      if (record?.content.kind !== "direct" || record.content.members?.includes(person) !== true) return false;
      const [last] = await store.select({
        table: "inbound",
        where: { channel, conversation, fate: "accepted" },
        order: [{ column: "at", descending: true }],
        limit: 1,
      });
      if (last === undefined) return false;
      const [sender] = await store.select({ table: "senders", where: { channel, external: last.sender } });
      return sender?.state === "allowed" && sender.person === person;
    };

    const found: LinkedConversation[] = [];
    for (const { name } of channels.list()) {
      const direct = await store.select({ table: "conversations", where: { channel: name, kind: "direct" } });
      for (const room of direct) if (await isLinked(room)) found.push(room);
    }
    return found;
  };
