/**
 * Handles approval decisions from a chat platform: `/allow CODE` and `/deny CODE why`, or the
 * equivalent buttons. No model reads them.
 */
import type { Notices, Write } from "../../kernel/index.ts";
import { DECISION_REPLIES, type Approvals } from "../../policy/index.ts";
import { type AgentId, isHearthError, MAX_APPROVAL_REASON, type RoomId } from "@hearth/protocol";
import type { Inbound as ChannelInbound, PressAnswer } from "../channel.ts";

export type Decide = Approvals["decideSpoken"];

export interface SpokenWords {
  /**
   * Returns the writes of the answer, for the commit that accepts the update. Undefined when the
   * message is not a decision.
   */
  take(channel: string, inbound: ChannelInbound, who: Spoken): Promise<readonly Write[] | undefined>;
  /**
   * The answer for the person who pressed. `isOver`: the request is decided, or can no longer be
   * decided.
   */
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
  readonly outbox: Pick<Notices, "notice">;
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
      return { text: DECISION_REPLIES[decision], isOver: true };
    } catch (error) {
      // It expired, or another person decided first.
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
  "No request with this code waits for your decision here. To list open requests in the house: hearth approval list";
