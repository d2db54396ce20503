/**
 * Plans the inbox change at the end of a child activation: an answer for its parent, or the
 * question closed without an answer.
 */
import { answerId, newInboxRow, type Inbox, type InboxChange } from "../../agents/index.ts";
import { writeLabel, type Row } from "../../kernel/index.ts";
import { type Label, MAX_INBOX_TEXT, type World } from "@hearth/protocol";
import { capOutput } from "@hearth/protocol/tools";

/** Without text there is no answer, and the question is closed. */
export const planAnswer = async (
  { world, inbox }: { readonly world: World; readonly inbox: Inbox },
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
