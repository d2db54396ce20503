/** Converts approvals and rules between table rows and API objects. */
import type { Row } from "../../kernel/index.ts";
import type { Approval, ApprovalRule } from "@hearth/protocol";
import type { Redact } from "../text/display.ts";

/**
 * Converts an approval for people, with secrets redacted. The call that runs is read from the row.
 */
export const toApproval = (row: Row<"approvals">, redact: Redact): Approval => ({
  id: row.id,
  house: row.house,
  agent: row.agent,
  activation: row.activation,
  step: row.step,
  room: row.room,
  ...(row.person === null ? {} : { person: row.person }),
  what: { kind: row.kind as "tool" | "model", name: row.name, input: redact(row.input), hash: row.hash },
  asks: JSON.parse(redact(row.asks)),
  display: redact(row.display),
  offers: JSON.parse(redact(row.offers)),
  state: row.state,
  ...(row.scope === null ? {} : { scope: row.scope }),
  ...(row.by === null ? {} : { by: row.by }),
  ...(row.reason === null ? {} : { reason: redact(row.reason) }),
  ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
  createdAt: row.at,
  expiresAt: row.expires_at,
});

export const toRule = (row: Row<"approval_rules">, redact: Redact): ApprovalRule => ({
  id: row.id,
  house: row.house,
  agent: row.agent,
  tool: row.tool,
  bound: redact(row.bound),
  text: redact(row.text),
  ...(row.room === null ? {} : { room: row.room }),
  by: row.by,
  at: row.at,
});
