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
  answer(channel: string, inbound: ChannelInbound, answered: PressReply): Promise<void>;
}

export const createPresses = (options: {
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find">;
  readonly channels: Pick<Channels, "open">;
  readonly spokenWords: Pick<ApprovalReplies, "press">;
}): Presses => {
  const { store, records, channels, spokenWords } = options;
  return {
    async take(channel, inbound, sender) {
      const where = { channel, conversation: inbound.conversation.id };
      const [there] = await store.select({ table: "conversations", where, limit: 1 });
      if (there === undefined || sender?.state !== "allowed" || sender.person === null) return undefined;
      const person = await records.find("agent", sender.person);
      if (person === undefined) return undefined;
      return spokenWords.press(inbound, { room: there.room, person: person.id });
    },

    async answer(name, { conversation, messageId, press = "" }, answered) {
      const channel = await channels.open(name);
      const about = { conversation: conversation.id, messageId, press, ...answered };
      await channel?.answerPress(about, new AbortController().signal);
    },
  };
};
