/** `/allow CODE` and `/deny CODE why` in a chat platform's conversation, or the buttons that stand for them: a person's word about what an agent asks, which no model sees. */
import type { Outbox, Write } from "../../kernel/index.ts";
import { SPOKEN, type Approvals } from "../../policy/index.ts";
import { type AgentId, isHearthError, MAX_APPROVAL_REASON, type RoomId } from "@hearth/protocol";
import type { Inbound as ChannelInbound, PressAnswer } from "../channel.ts";

export type Decide = Approvals["decideSpoken"];

export interface SpokenWords {
  /** What answers it, for the commit that takes it in. Undefined: it is none. */
  take(channel: string, inbound: ChannelInbound, who: Spoken): Promise<readonly Write[] | undefined>;
  /** What to say to whoever pressed. `isOver`: it is decided, or nobody decides it any more. */
  press(inbound: ChannelInbound, who: Spoken): Promise<Pick<PressAnswer, "text" | "isOver">>;
}

interface Spoken {
  readonly room: RoomId;
  readonly person: AgentId;
}

const WORD = /^\/(allow|deny)(?:\s+(\S+))?(?:\s+([^]*))?$/i;
export const createSpokenWords = ({
  outbox,
  decide,
}: {
  readonly outbox: Pick<Outbox, "notice">;
  readonly decide?: Decide;
}): SpokenWords => {
  const answerTo = async (
    [, verb = "", code = "", reason = ""]: RegExpExecArray,
    who: Spoken,
  ): Promise<Pick<PressAnswer, "text" | "isOver">> => {
    const decision = verb.toLowerCase() === "allow" ? "allow" : "deny";
    const why = reason.trim().slice(0, MAX_APPROVAL_REASON).toWellFormed();
    try {
      const done = await decide?.({ ...who, code, decision, ...(why === "" ? {} : { reason: why }) });
      if (done === undefined) return { text: UNKNOWN, isOver: false };
      return { text: SPOKEN[decision], isOver: true };
    } catch (error) {
      // It ran out, or somebody in the house was faster.
      if (isHearthError(error, "approval.over")) return { text: error.message, isOver: true };
      throw error;
    }
  };

  return {
    async take(channel, inbound, who) {
      const match = inbound.kind === "message" ? WORD.exec(inbound.text.trim()) : null;
      if (match === null) return undefined;
      const { text } = await answerTo(match, who);
      const { conversation, externalId } = inbound;
      return outbox.notice({ channel, conversation: conversation.id, text, because: ["word", externalId] });
    },
    async press(inbound, who) {
      const match = WORD.exec(inbound.text);
      return match === null ? { text: UNKNOWN, isOver: false } : answerTo(match, who);
    },
  };
};

const UNKNOWN =
  "There is nothing of that code for you to decide here. What waits for a word stands in the house: hearth approval list";
