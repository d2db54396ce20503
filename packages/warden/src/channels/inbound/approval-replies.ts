/**
 * Handles approval decisions from a chat platform: `/allow CODE` and `/deny CODE why`, or the
 * equivalent buttons. No model reads them.
 */
import type { Notices, Write } from "../../kernel/index.ts";
import { DECISION_REPLIES, type Approvals } from "../../policy/index.ts";
import { type AgentId, isHearthError, MAX_APPROVAL_REASON, type RoomId } from "@hearth/protocol";
import type { InboundUpdate as ChannelInbound, PressAnswer } from "../channel.ts";

export type Decide = Approvals["decideByCode"];

export interface ApprovalReplies {
  /**
   * Returns the writes of the answer, for the commit that accepts the update. Returns undefined
   * when the message is not a decision.
   */
  take(channel: string, inbound: ChannelInbound, who: Decider): Promise<readonly Write[] | undefined>;
  /**
   * Returns the answer for the person who pressed. With `isOver`, the request is decided, or can no
   * longer be decided.
   */
  press(inbound: ChannelInbound, who: Decider): Promise<Pick<PressAnswer, "text" | "isOver">>;
}

interface Decider {
  readonly room: RoomId;
  readonly person: AgentId;
}

const DECISION_COMMAND = /^\/(allow|deny)(?:\s+(\S+))?(?:\s+([^]*))?$/i;
export const createApprovalReplies = ({
  outbox,
  decide,
}: {
  readonly outbox: Pick<Notices, "planNotice">;
  readonly decide?: Decide;
}): ApprovalReplies => {
  const decideAndAnswer = async (
    [, verb = "", code = "", reason = ""]: RegExpExecArray,
    who: Decider,
  ): Promise<Pick<PressAnswer, "text" | "isOver">> => {
    const decision = verb.toLowerCase() === "allow" ? "allow" : "deny";
    const why = reason.trim().slice(0, MAX_APPROVAL_REASON).toWellFormed();
    try {
      const result = await decide?.({ ...who, code, decision, ...(why === "" ? {} : { reason: why }) });
      if (result === undefined) return { text: UNKNOWN_CODE_TEXT, isOver: false };
      return { text: DECISION_REPLIES[decision], isOver: true };
    } catch (error) {
      // The request expired, or another person decided first.
      if (isHearthError(error, "approval.over")) return { text: error.message, isOver: true };
      throw error;
    }
  };

  return {
    async take(channel, inbound, who) {
      const match = inbound.kind === "message" ? DECISION_COMMAND.exec(inbound.text.trim()) : null;
      if (match === null) return undefined;
      const { text } = await decideAndAnswer(match, who);
      const { conversation, externalId } = inbound;
      return outbox.planNotice({ channel, conversation: conversation.id, text, idParts: ["word", externalId] });
    },
    async press(inbound, who) {
      const match = DECISION_COMMAND.exec(inbound.text);
      return match === null ? { text: UNKNOWN_CODE_TEXT, isOver: false } : decideAndAnswer(match, who);
    },
  };
};

const UNKNOWN_CODE_TEXT =
  "No request with this code waits for your decision here. To list open requests in the house: hearth approval list";
