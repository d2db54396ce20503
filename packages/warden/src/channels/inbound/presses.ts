/** Answers presses of buttons on a chat platform, which decide approval requests. */
import type { Row, Store } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { InboundUpdate as ChannelInbound, PressAnswer } from "../channel.ts";
import type { Channels } from "../house-channels.ts";
import type { ApprovalReplies } from "./approval-replies.ts";

/** The answer for the person who pressed. */
export type PressReply = Pick<PressAnswer, "text" | "isOver">;

export interface Presses {
  /**
   * Decides by the press of a known sender in their own conversation. Returns undefined for any
   * other press. The press of an unknown sender is ignored without an answer.
   */
  take(channel: string, inbound: ChannelInbound, sender: Row<"senders"> | undefined): Promise<PressReply | undefined>;
  /** Shows the answer on the platform. The decision stays valid even if this fails. */
  answer(channel: string, inbound: ChannelInbound, reply: PressReply): Promise<void>;
}

export const createPresses = (options: {
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find">;
  readonly channels: Pick<Channels, "open">;
  readonly approvalReplies: Pick<ApprovalReplies, "press">;
}): Presses => {
  const { store, records, channels, approvalReplies } = options;
  return {
    async take(channel, inbound, sender) {
      const where = { channel, conversation: inbound.conversation.id };
      const [conversationRow] = await store.select({ table: "conversations", where, limit: 1 });
      if (conversationRow === undefined || sender?.state !== "allowed" || sender.person === null) return undefined;
      const person = await records.find("agent", sender.person);
      if (person === undefined) return undefined;
      return approvalReplies.press(inbound, { room: conversationRow.room, person: person.id });
    },

    async answer(name, { conversation, messageId, press = "" }, reply) {
      const channel = await channels.open(name);
      const answer = { conversation: conversation.id, messageId, press, ...reply };
      await channel?.answerPress(answer, new AbortController().signal);
    },
  };
};
