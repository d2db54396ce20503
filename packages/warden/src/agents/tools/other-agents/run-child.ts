/**
 * Runs another agent's turn for the calling turn: starts it once, waits with a time limit, and
 * waits again after a restart.
 */
import { writeJson, readLabel, type Row } from "../../../kernel/index.ts";
import type { ActivationId, AgentRecord, InboxId, Label, World } from "@hearth/protocol";
import type { InboxChange } from "../../inbox/inbox.ts";
import { inboxId, type Limits, newInboxRow } from "../../inbox/rows.ts";
import { nameWithHandle } from "./addressee.ts";
import { type HostCall, labelsOf } from "../call.ts";
import type { OtherAgentParts } from "../parts.ts";
import { failedOutcome, type HostOutcome } from "../tool.ts";

export interface ChildRequest {
  readonly to: AgentRecord;
  readonly type: "question" | "delegation";
  readonly text: string;
  readonly limits?: Limits;
  readonly timeoutMs: number;
}

export type ChildResult =
  /** The answer came in time. `sameCommit` removes it from the pending messages. */
  | {
      readonly kind: "answer";
      readonly child: ActivationId;
      readonly text: string;
      /** The label of the answer. */
      readonly label: Label;
      readonly sameCommit: InboxChange;
    }
  | { readonly kind: "none"; readonly child: ActivationId; readonly row: Row<"activations"> }
  | { readonly kind: "late"; readonly child: ActivationId }
  | { readonly kind: "refused"; readonly text: string };

export const runChild = async (request: ChildRequest, call: HostCall, parts: OtherAgentParts): Promise<ChildResult> => {
  const { world, inbox, children } = parts;
  const question = inboxId(world, call.activation.id, call.step);
  const child = childId(world, question);
  if ((await children.find(child)) === undefined) {
    const refusal = await startChild(child, question, request, call, parts);
    if (refusal !== undefined) return { kind: "refused", text: refusal };
  }
  const row = await withTimeout(world, request.timeoutMs, call.signal, (signal) => children.waitForEnd(child, signal));
  const answer = await inbox.answerTo(question);
  if (answer !== undefined) {
    const { id } = call.activation;
    const sameCommit = await inbox.planMove([answer.id], { status: "read", by: id });
    return { kind: "answer", child, text: answer.text, label: readLabel(answer.labels) ?? AGENT_LABEL, sameCommit };
  }
  return row.ended_at === null ? { kind: "late", child } : { kind: "none", child, row };
};

const startChild = async (
  child: ActivationId,
  question: InboxId,
  { to, type, text, limits }: ChildRequest,
  call: HostCall,
  { world, children, maxChain }: OtherAgentParts,
): Promise<string | undefined> => {
  const { activation, agent } = call;
  if (to.content.runs === "elsewhere")
    return `${nameWithHandle(to)} is a program elsewhere, which this house cannot wake: leave it a note, or call it in a room.`;
  if (activation.depth >= maxChain())
    return `${activation.depth + 1} agents would have woken each other in a row: answer with what you have.`;
  const startResult = await children.start(
    {
      id: child,
      agent: to.id,
      inbox: newInboxRow({
        id: question,
        sender: agent.id,
        recipient: to.id,
        type,
        text: call.toInternal(text.toWellFormed()),
        room: activation.room,
        activation: activation.id,
        labels: labelsOf(call),
        at: world.clock.now(),
        limits: limits === undefined ? null : writeJson(limits),
      }),
    },
    call,
  );
  if (startResult === "too-many")
    return "Agents have asked each other often enough about this: answer with what you have.";
  return startResult === "over" ? "This turn is over." : undefined;
};

/**
 * The label of another agent's text without restrictions, and of the house's messages about a
 * missing answer.
 */
const AGENT_LABEL: Label = { integrity: "trusted", readers: "anyone", sources: [] };

/**
 * Returns the id of the activation that a question wakes. It is deterministic, so a question wakes
 * one activation.
 */
const childId = (world: World, question: InboxId): ActivationId => world.ids.derive("act", question);

const withTimeout = async <Answer>(
  { clock }: World,
  timeoutMs: number,
  stop: AbortSignal,
  wait: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const timeoutController = new AbortController();
  const doneController = new AbortController();
  const expire = (): void => timeoutController.abort();
  clock.sleep(timeoutMs, doneController.signal).then(expire, expire);
  try {
    return await wait(AbortSignal.any([stop, timeoutController.signal]));
  } finally {
    doneController.abort();
  }
};

/** Returns the house's message for a missing answer. */
export const unansweredOutcome = (text: string): HostOutcome => ({ ...failedOutcome(text), label: AGENT_LABEL });

/** Returns the reason for the model why there is no answer. */
export const noAnswerReason = ({ state, reason }: Row<"activations">): string => reason ?? `its turn ended as ${state}`;
