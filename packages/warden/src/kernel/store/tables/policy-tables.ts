/** The tables of policy: approvals, rules, and spending. */
import type {
  ActivationId,
  AgentId,
  Approval,
  ApprovalId,
  ApprovalRuleId,
  ApprovalScope,
  ApprovalState,
  HouseId,
  RoomId,
} from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

export const policyTables = {
  /** Approvals of agents' calls. */
  approvals: table({
    columns: {
      id: text<ApprovalId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      activation: text<ActivationId>(),
      step: integer(),
      room: text<RoomId>(),
      /** Null: any person who decides in the house. */
      person: nullable(text<AgentId>()),
      /** The call: its kind, its name, its input as canonical JSON, and the hash of the three. */
      kind: text<Approval["what"]["kind"]>(),
      name: text(),
      input: text(),
      hash: text(),
      asks: json<unknown>(),
      display: text(),
      offers: json<unknown>(),
      /** The fields that a wider approval is limited to, as canonical JSON. */
      bound: text(),
      /** The offset of the message that caused it; it identifies the session. */
      since: integer(),
      /** Hash of the code that was sent in a direct conversation. */
      code_hash: nullable(text()),
      state: text<ApprovalState>(),
      scope: nullable(text<ApprovalScope>()),
      by: nullable(text<AgentId>()),
      reason: nullable(text()),
      at: integer(),
      decided_at: nullable(integer()),
      expires_at: integer(),
    },
    key: ["id"],
    indexes: {
      approvals_activation: { on: ["activation"], fewRows: "A person is asked a few times per activation." },
      approvals_pending: {
        on: ["expires_at"],
        where: { column: "state", is: "=", value: "pending" },
        fewRows: "Calls that wait for a person.",
      },
      approvals_at: { on: ["at", "id"] },
      approvals_allowed: {
        on: ["agent"],
        where: { column: "state", is: "=", value: "allowed" },
        fewRows: "Approved calls that have not begun yet.",
      },
      approvals_code: {
        on: ["code_hash"],
        where: { column: "code_hash", is: "not null" },
        fewRows: "A code belongs to one call.",
      },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
  }),
  /** Rules by which calls pass without asking. */
  approval_rules: table({
    columns: {
      id: text<ApprovalRuleId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      tool: text(),
      /** Fields and their values, as canonical JSON. */
      bound: text(),
      text: text(),
      /** The room whose session contains the message at `since`. Null: everywhere. */
      room: nullable(text<RoomId>()),
      since: nullable(integer()),
      approval: text<ApprovalId>(),
      by: text<AgentId>(),
      at: integer(),
    },
    key: ["id"],
    indexes: {
      approval_rules_agent: { on: ["agent", "tool"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Spending on models. `period`: a day, for an agent or a house; or `turn`, for an activation. */
  spend: table({
    columns: {
      scope: text(),
      period: text(),
      tokens: integer(),
      /** Micro-dollars. */
      money: integer(),
    },
    key: ["period", "scope"],
    owner: "home",
    growsWith: "use",
  }),
};
