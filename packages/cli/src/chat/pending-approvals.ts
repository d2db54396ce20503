/**
 * Shows pending approvals in a chat: the call exactly as it would run, and how to answer. An answer
 * applies to one approval, by its id.
 */
import type { Client } from "@hearth/client";
import { type Approval, type ApprovalId, isHearthError, type StoredMessage } from "@hearth/protocol";
import { safeLine } from "../show/safe-text.ts";

/**
 * Reports each pending approval in the room after this message, until `signal` aborts. Never
 * rejects on stream errors.
 */
export const followPendingApprovals = async (
  client: Client,
  { room, offset }: Pick<StoredMessage, "room" | "offset">,
  signal: AbortSignal,
  onApproval: (approval: Approval) => void,
): Promise<void> => {
  for await (const item of client.rooms.follow(room, { after: offset, signal })) {
    if (item.kind === "failed") return;
    if (item.kind !== "event" || item.event.type !== "approval-asked") continue;
    const approval = await findApproval(client, item.event.approval);
    if (approval?.state === "pending" && !signal.aborted) onApproval(approval);
  }
};

/** Returns the approval, or undefined when the caller may not see or decide it. */
const findApproval = async (client: Client, id: ApprovalId): Promise<Approval | undefined> => {
  try {
    return await (await client.approvals()).get(id);
  } catch (error) {
    if (isHearthError(error)) return undefined;
    throw error;
  }
};

/**
 * Returns the lines that show an approval: the agent, the exact call and the reasons. The house has
 * escaped `display`.
 */
export const describeApproval = ({ display, asks }: Approval, name: string): readonly string[] => [
  `${safeLine(name)} asks for approval of this call:`,
  ...display.split("\n").map((line) => `  ${line}`),
  ...asks.map(({ text }) => safeLine(text)),
];

/** Returns the commands that decide the approval. */
export const describeCommands = ({ id, offers }: Approval): readonly string[] => [
  ...offers.map(
    ({ scope, text }) => `  hearth approval allow ${id}${scope === "once" ? "" : ` --${scope}`}  # ${safeLine(text)}`,
  ),
  `  hearth approval deny ${id}`,
];

/** Describes the keys that decide the approval in the chat. */
export const describeKeys = ({ offers }: Approval): string => {
  const session = offers.find(({ scope }) => scope === "session");
  const sessionKey = session === undefined ? "" : `, s and Enter for the session: ${safeLine(session.text)}`;
  return `To allow it once, type y and Enter${sessionKey}. To deny it, type n, an optional reason, and Enter.`;
};

/** Parses a typed answer. Returns undefined when the line is an ordinary message. */
export const readAnswer = (
  line: string,
  { offers }: Pick<Approval, "offers">,
):
  | { readonly decision: "allow" | "deny"; readonly scope: "once" | "session"; readonly reason?: string }
  | undefined => {
  const [, key = "", reason = ""] = /^(y|n|s)(?:\s+([^]*))?$/i.exec(line.trim()) ?? [];
  const reasonField = reason.trim() === "" ? {} : { reason: reason.trim() };
  switch (key.toLowerCase()) {
    case "y":
      return reason === "" ? { decision: "allow", scope: "once" } : undefined;
    case "s":
      return reason === "" && offers.some(({ scope }) => scope === "session")
        ? { decision: "allow", scope: "session" }
        : undefined;
    case "n":
      return { decision: "deny", scope: "once", ...reasonField };
    default:
      return undefined;
  }
};
