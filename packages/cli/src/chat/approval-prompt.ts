/** Shows approvals in a chat, and decides the last one shown when the user types y, n or s. */
import type { Client } from "@hearth/client";
import { type AgentRecord, type Approval, type ApprovalId, isHearthError } from "@hearth/protocol";
import { safeLine } from "../show/safe-text.ts";
import type { Board } from "./board.ts";
import { describeApproval, describeKeys, readAnswer } from "./pending-approvals.ts";

export interface ApprovalPrompt {
  /** Shows each approval once. */
  show(approval: Approval, agent: AgentRecord): void;
  /** Decides the pending approval if the line is an answer. Returns whether the line was an answer. */
  answer(line: string): Promise<boolean>;
}

export const createApprovalPrompt = (
  client: Pick<Client, "approvals">,
  { note }: Pick<Board, "note">,
): ApprovalPrompt => {
  const shownIds = new Set<ApprovalId>();
  let pendingApproval: Approval | undefined;
  return {
    show(approval, agent) {
      if (shownIds.has(approval.id)) return;
      shownIds.add(approval.id);
      pendingApproval = approval;
      for (const line of [...describeApproval(approval, agent.content.name), describeKeys(approval)]) note(line);
    },
    async answer(line) {
      const approval = pendingApproval;
      const decision = approval === undefined ? undefined : readAnswer(line, approval);
      if (approval === undefined || decision === undefined) return false;
      pendingApproval = undefined;
      try {
        await (await client.approvals()).decide(approval.id, decision);
        note(decision.decision === "allow" ? "Allowed." : "Denied.");
      } catch (error) {
        if (!isHearthError(error)) throw error;
        note(safeLine(error.message));
      }
      return true;
    },
  };
};
