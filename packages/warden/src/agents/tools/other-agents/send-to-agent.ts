/** Leaves a note in another agent's inbox. */
import { inboxId, newInboxRow } from "../../inbox/rows.ts";
import { nameWithHandle, findOther } from "./addressee.ts";
import { labelsOf } from "../call.ts";
import type { OtherAgentParts } from "../parts.ts";
import { failedOutcome, type RunHostTool } from "../tool.ts";

/**
 * Maximum number of waiting notes per agent, so that notes for an inactive agent do not accumulate.
 */
const MAX_WAITING = 100;

export const sendToAgent: RunHostTool<"send_to_agent", OtherAgentParts> = async ({ agent, text }, call, parts) => {
  const { world, inbox } = parts;
  const addressee = await findOther(agent, call.agent, parts);
  if ("wrong" in addressee) return failedOutcome(addressee.wrong);
  const { to } = addressee;
  if ((await inbox.pending(to.id)).length >= MAX_WAITING)
    return failedOutcome(`The inbox of ${nameWithHandle(to)} is full: it has to read first.`);
  const { activation, step } = call;
  return {
    text: `Left for ${nameWithHandle(to)}.`,
    failed: false,
    sameCommit: inbox.planPut(
      newInboxRow({
        id: inboxId(world, activation.id, step),
        sender: call.agent.id,
        recipient: to.id,
        type: "note",
        text: call.toInternal(text.toWellFormed()),
        room: activation.room,
        activation: activation.id,
        labels: labelsOf(call),
        at: world.clock.now(),
      }),
    ),
  };
};
