/**
 * Asks another agent and waits for the answer. The other agent answers in a separate turn, even
 * while it is busy.
 */
import { DEFAULT_ASK_SECONDS } from "@hearth/protocol/tools";
import { nameWithHandle, findOther } from "./addressee.ts";
import { runChild, unansweredOutcome, noAnswerReason } from "./run-child.ts";
import type { OtherAgentParts } from "../parts.ts";
import type { RunHostTool } from "../tool.ts";

export const askAgent: RunHostTool<"ask_agent", OtherAgentParts> = async (input, call, parts) => {
  const { agent, question, timeoutSeconds = DEFAULT_ASK_SECONDS } = input;
  const addressee = await findOther(agent, call.agent, parts);
  if ("wrong" in addressee) return unansweredOutcome(addressee.wrong);
  const { to } = addressee;
  const request = { to, type: "question", text: question, timeoutMs: timeoutSeconds * 1000 } as const;
  const result = await runChild(request, call, parts);
  switch (result.kind) {
    case "answer":
      return { text: result.text, failed: false, label: result.label, sameCommit: result.sameCommit };
    case "none":
      return unansweredOutcome(`${nameWithHandle(to)} gave no answer: ${noAnswerReason(result.row)}`);
    case "late":
      return unansweredOutcome(
        `${nameWithHandle(to)} has not answered within ${timeoutSeconds} s. If it still does, the answer comes to your inbox.`,
      );
    case "refused":
      return unansweredOutcome(result.text);
  }
};
