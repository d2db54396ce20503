/** Converts approvals and rules between table rows and API objects. */
import type { Row } from "../../kernel/index.ts";
import type {
  ActivationId,
  AgentId,
  Approval,
  ApprovalId,
  ApprovalRule,
  ApprovalRuleId,
  ApprovalScope,
  ApprovalState,
  HouseId,
  RoomId,
} from "@hearth/protocol";
import type { Redact } from "../text/display.ts";

/**
 * The approval as people see it, with secrets redacted. The call that runs is taken from the row.
 */
export const toApproval = (row: Row<"approvals">, redact: Redact): Approval => ({
  ...{ id: row.id as ApprovalId, house: row.house as HouseId, agent: row.agent as AgentId },
  ...{ activation: row.activation as ActivationId, step: row.step, room: row.room as RoomId },
  ...(row.person === null ? {} : { person: row.person as AgentId }),
  what: { kind: row.kind as "tool" | "model", name: row.name, input: redact(row.input), hash: row.hash },
  ...{ asks: JSON.parse(redact(row.asks)), display: redact(row.display), offers: JSON.parse(redact(row.offers)) },
  state: row.state as ApprovalState,
  ...(row.scope === null ? {} : { scope: row.scope as ApprovalScope }),
  ...(row.by === null ? {} : { by: row.by as AgentId }),
  ...(row.reason === null ? {} : { reason: redact(row.reason) }),
  ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
  ...{ createdAt: row.at, expiresAt: row.expires_at },
});

export const toRule = (row: Row<"approval_rules">, redact: Redact): ApprovalRule => ({
  ...{ id: row.id as ApprovalRuleId, house: row.house as HouseId, agent: row.agent as AgentId },
  ...{ tool: row.tool, bound: redact(row.bound), text: redact(row.text) },
  ...(row.room === null ? {} : { room: row.room as RoomId }),
  ...{ by: row.by as AgentId, at: row.at },
});
