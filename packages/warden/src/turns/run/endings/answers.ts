/**
 * Plans the inbox change at the end of an activation: the messages in its prompt become read, and a
 * child answers its parent's question or closes it.
 */
import { answerId, newInboxRow, type Inbox, type InboxChange } from "../../../agents/index.ts";
import { writeLabel, type Row } from "../../../kernel/index.ts";
import { type ActivationState, type Label, MAX_INBOX_TEXT, type World } from "@hearth/protocol";
import { capOutput } from "@hearth/protocol/tools";
import type { Ended } from "./final-state.ts";

interface InboxParts {
  readonly world: World;
  readonly inbox: Inbox;
}

/** Messages become read only if the activation replied. */
export const planInbox = async (
  parts: InboxParts,
  row: Row<"activations">,
  outcome: Ended,
  state: ActivationState,
): Promise<InboxChange> => {
  const reply = outcome.kind === "reply" && state === "replied" ? outcome : undefined;
  const [read, answer] = await Promise.all([
    parts.inbox.planMove(reply?.inboxInPrompt ?? [], { status: "read", by: row.id }),
    planAnswer(parts, row, reply),
  ]);
  return {
    guards: [...read.guards, ...answer.guards],
    writes: [...read.writes, ...answer.writes],
    events: [...read.events, ...answer.events],
  };
};

/** Answers the question of a child's parent. Without a reply, closes the question. */
const planAnswer = async (
  { world, inbox }: InboxParts,
  child: Row<"activations">,
  reply: { readonly text: string; readonly label?: Label } | undefined,
): Promise<InboxChange> => {
  const [question] = child.inbox === null ? [] : await inbox.rows([child.inbox]);
  if (question === undefined) return inbox.planMove([], { status: "archived" });
  if (reply === undefined) return inbox.planMove([question.id], { status: "archived" });
  return inbox.planPut(
    newInboxRow({
      id: answerId(world, child.id),
      sender: child.agent,
      recipient: question.sender,
      type: "answer",
      text: capOutput(reply.text, MAX_INBOX_TEXT),
      reply_to: question.id,
      room: child.room,
      activation: child.id,
      labels: writeLabel(reply.label),
      at: world.clock.now(),
    }),
  );
};
