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
      const [lastMessage] = await store.select({
        table: "inbound",
        where: { channel, conversation, fate: "accepted" },
        order: [{ column: "at", descending: true }],
        limit: 1,
      });
      if (lastMessage === undefined) return false;
      const [sender] = await store.select({ table: "senders", where: { channel, external: lastMessage.sender } });
      return sender?.state === "allowed" && sender.person === person;
    };

    const linkedConversations: LinkedConversation[] = [];
    for (const { name } of channels.list()) {
      const directConversations = await store.select({
        table: "conversations",
        where: { channel: name, kind: "direct" },
      });
      for (const conversation of directConversations)
        if (await isLinked(conversation)) linkedConversations.push(conversation);
    }
    return linkedConversations;
  };
