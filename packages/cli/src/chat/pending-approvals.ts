/**
 * What agents wait for a person's word about, while somebody sits in the room: the call as it would run, and how to answer. It is one call that
 * an answer is for, by its id: what came later is another one.
 */
import type { Client } from "@hearth/client";
import { type Approval, type ApprovalId, isHearthError, type StoredMessage } from "@hearth/protocol";
import { safeLine } from "../safe-text.ts";

/** Tells of each call that is asked about in the room from this message on, until `signal` aborts. Never rejects: the reply says what failed. */
export const followPendingApprovals = async (
  client: Client,
  { room, offset }: Pick<StoredMessage, "room" | "offset">,
  signal: AbortSignal,
  on: (approval: Approval) => void,
): Promise<void> => {
  for await (const item of client.rooms.follow(room, { after: offset, signal })) {
    if (item.kind === "failed") return;
    if (item.kind !== "event" || item.event.type !== "approval-asked") continue;
    const approval = await findAsked(client, item.event.approval);
    if (approval?.state === "pending" && !signal.aborted) on(approval);
  }
};

/** Nothing where one may not look, or has nothing to decide. */
const findAsked = async (client: Client, id: ApprovalId): Promise<Approval | undefined> => {
  try {
    return await (await client.approvals()).get(id);
  } catch (error) {
    if (isHearthError(error)) return undefined;
    throw error;
  }
};

/** Line by line: who asks, why, and exactly what. Its lines hold nothing that a terminal would obey. */
export const describeApproval = ({ display, asks }: Approval, name: string): readonly string[] => [
  `${safeLine(name)} asks before it does this:`,
  ...display.split("\n").map((line) => `  ${line}`),
  ...asks.map(({ text }) => safeLine(text)),
];

/** For whoever answers elsewhere. */
export const describeCommands = ({ id, offers }: Approval): readonly string[] => [
  ...offers.map(
    ({ scope, text }) => `  hearth approval allow ${id}${scope === "once" ? "" : ` --${scope}`}  # ${safeLine(text)}`,
  ),
  `  hearth approval deny ${id}`,
];

/** For whoever answers here. */
export const describeKeys = ({ offers }: Approval): string => {
  const session = offers.find(({ scope }) => scope === "session");
  const wider = session === undefined ? "" : `, s and Enter for more: ${safeLine(session.text)}`;
  return `y and Enter lets it, once${wider}; n and Enter, with a reason if you like, refuses.`;
};

/** An answer as it is typed. Anything else is a message. */
export const readAnswer = (
  line: string,
  { offers }: Pick<Approval, "offers">,
):
  | { readonly decision: "allow" | "deny"; readonly scope: "once" | "session"; readonly reason?: string }
  | undefined => {
  const [, key = "", reason = ""] = /^(y|n|s)(?:\s+([^]*))?$/i.exec(line.trim()) ?? [];
  const why = reason.trim() === "" ? {} : { reason: reason.trim() };
  switch (key.toLowerCase()) {
    case "y":
      return reason === "" ? { decision: "allow", scope: "once" } : undefined;
    case "s":
      return reason === "" && offers.some(({ scope }) => scope === "session")
        ? { decision: "allow", scope: "session" }
        : undefined;
    case "n":
      return { decision: "deny", scope: "once", ...why };
    default:
      return undefined;
  }
};
