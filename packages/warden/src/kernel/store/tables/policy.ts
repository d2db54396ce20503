/** The tables of policy and of the vault. */
import type {
  ActivationId,
  AgentId,
  Approval,
  ApprovalId,
  ApprovalRuleId,
  ApprovalScope,
  ApprovalState,
  EgressEntry,
  EgressId,
  HouseId,
  KeySourceKind,
  NewSecretGrant,
  RoomId,
  SecretGrant,
  SecretGrantId,
  UsageKind,
} from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

/** The tables of policy: approvals, rules, and spending. */
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
    retention: "turn",
    credentials: ["code_hash"],
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
    retention: "forever",
  }),
  /** Sums of charged model usage. */
  model_usage: table({
    columns: {
      /** The day on which the amount counts for the budget of the agent, or of the home. */
      day: text(),
      /** Empty if the cost belongs to no agent. */
      agent: text<AgentId | "">(),
      /** The model that answered, as `provider/model`. */
      model: text(),
      /** The room of the first turn that requested the call. Empty if the cost belongs to no room. */
      room: text<RoomId | "">(),
      kind: text<UsageKind>(),
      calls: integer(),
      input_tokens: integer(),
      output_tokens: integer(),
      cache_read_tokens: integer(),
      cache_write_tokens: integer(),
      /** Micro-dollars. */
      money: integer(),
      /** The tokens and the micro-dollars of calls whose usage is an estimate. */
      estimated_tokens: integer(),
      estimated_money: integer(),
      /** The last charge. */
      at: integer(),
    },
    key: ["day", "agent", "model", "room", "kind"],
    indexes: { model_usage_at: { on: ["at"] } },
    owner: "home",
    growsWith: "use",
    retention: { setting: "usageDays", since: "at" },
  }),
};

/** The tables of the vault. None has a value or a key in plain text. */
export const secretTables = {
  /** Secrets, each sealed with its own data key, which is sealed with the vault's key. */
  secrets: table({
    columns: {
      house: text<HouseId>(),
      name: text(),
      /** Increases with each value. */
      version: integer(),
      /** The vault key that `wrapped` is sealed with. */
      key: text(),
      /** Nonce and box, base64. */
      wrapped: text(),
      sealed: text(),
      created_at: integer(),
      set_at: integer(),
    },
    key: ["house", "name"],
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Which agents' requests receive a secret, and for which hosts. */
  secret_grants: table({
    columns: {
      id: text<SecretGrantId>(),
      house: text<HouseId>(),
      secret: text(),
      agent: text<SecretGrant["agent"]>(),
      /** The other fields of the grant. */
      terms: json<Omit<NewSecretGrant, "agent">>(),
      by: text<AgentId>(),
      at: integer(),
    },
    key: ["id"],
    indexes: {
      secret_grants_agent: { on: ["agent"] },
      secret_grants_secret: { on: ["house", "secret"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** The key that seals data keys: where it is stored, and its proof. Never the key. */
  vault_keys: table({
    columns: {
      id: text(),
      source: text<KeySourceKind>(),
      /** Data that its source needs to find it; not secret. */
      about: text(),
      /** A known text sealed with the key, which detects a wrong key. */
      proof: text(),
      /** Increases with each change of a secret, so that a key change detects concurrent ones. */
      revision: integer(),
      created_at: integer(),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Network requests of turns. */
  egress: table({
    columns: {
      id: text<EgressId>(),
      agent: text<AgentId>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
      host: text(),
      port: integer(),
      method: nullable(text()),
      /** Without its query. */
      path: nullable(text()),
      outcome: text<EgressEntry["outcome"]>(),
      status: nullable(integer()),
      why: nullable(text()),
      sent_bytes: integer(),
      received_bytes: integer(),
      /** Names of injected secrets. */
      secrets: json<readonly string[]>(),
      /** Usage of a model request. */
      usage: nullable(json<NonNullable<EgressEntry["usage"]>>()),
    },
    key: ["id"],
    indexes: {
      egress_activation: { on: ["activation"], fewRows: "Requests of one activation, which is limited in time." },
      egress_at: { on: ["at"] },
      egress_secrets: { on: ["at"], where: { column: "secrets", is: "<", value: "[]" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "turn",
  }),
};
