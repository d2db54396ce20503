/**
 * Converts inbox messages between rows and API, and derives their ids from the step that wrote
 * them.
 */
import { readLabel } from "../../kernel/index.ts";
import type { InboxId, InboxMessage, Label, World } from "@hearth/protocol";
import { z } from "zod";
import type { InboxRow } from "./inbox.ts";

/** The limits of a delegation, as its row stores them. */
export const Limits = z.object({
  /** The delegating agent's tools. The child may use those that it also has itself. */
  tools: z.array(z.string()),
  maxToolCalls: z.int().nonnegative(),
});
export type Limits = z.infer<typeof Limits>;

/** Returns the id of a message. It is deterministic, so a repeated step writes the same message. */
export const inboxId = (world: World, activation: string, step: number): InboxId =>
  world.ids.derive("note", activation, String(step));

/** Returns the id of a child activation's answer. It is deterministic, so a child answers once. */
export const answerId = (world: World, child: string): InboxId => world.ids.derive("note", child, "answer");

/** Creates the row of a pending message. */
export const newInboxRow = (
  fields: Pick<InboxRow, "id" | "sender" | "recipient" | "type" | "text" | "room" | "activation" | "labels" | "at"> &
    Partial<Pick<InboxRow, "reply_to" | "limits">>,
): InboxRow => ({
  status: "pending",
  reply_to: null,
  limits: null,
  read_at: null,
  read_by: null,
  moved_at: null,
  ...fields,
});

/** Formats a text for people and programs. Agents read the original text with its label. */
export type ShowText = (text: string, label: Label | undefined) => string;

export const toInboxMessage = (row: InboxRow, show: ShowText): InboxMessage => ({
  id: row.id,
  from: row.sender,
  to: row.recipient,
  type: row.type,
  status: row.status,
  text: show(row.text, readLabel(row.labels)),
  room: row.room,
  activation: row.activation,
  at: row.at,
  ...(row.reply_to === null ? {} : { replyTo: row.reply_to }),
  ...(row.read_at === null ? {} : { readAt: row.read_at }),
  ...(row.read_by === null ? {} : { readBy: row.read_by }),
});
