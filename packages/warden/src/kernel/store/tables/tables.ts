/** The tables of `hearth.db`, each declared once, and the types of their rows. */
import type {
  ActivationId,
  ActivationState,
  AgentId,
  Approval,
  ApprovalId,
  ApprovalRuleId,
  ApprovalScope,
  ApprovalState,
  BrainChangeKind,
  ByteStreamId,
  ChangeId,
  CompactionState,
  DeliveryId,
  DeliveryState,
  EgressEntry,
  EgressId,
  ErrorBody,
  EventId,
  HearthRecord,
  HoldScope,
  HouseId,
  InboxId,
  InviteId,
  InboxStatus,
  InboxType,
  JobHookId,
  JobStatus,
  KeptFile,
  KeyId,
  KeyScope,
  KeySourceKind,
  Label,
  Level,
  Right,
  MediaFacts,
  NewSecretGrant,
  Pairing,
  Place,
  ProposalId,
  PushChoices,
  ProposalState,
  RecordId,
  RecordType,
  RefusalFate,
  RestoreDecision,
  RestoreFindingKind,
  RoomId,
  SecretGrant,
  SecretGrantId,
  LoginMethod,
  SessionId,
  SkipReason,
  SpokenReplies,
  SlotFate,
  TranscriptSegment,
  Trigger,
  UploadId,
  UploadState,
  Usage,
  UsageKind,
} from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import type { ReplyRoute } from "../../outbox/reply-route.ts";
import type { SubscriptionConfig } from "../../streams/subscriptions/subscriptions.ts";
import { type Column, flag, integer, json, nullable, table, text } from "./table.ts";

/**
 * The tables of brains: the known state of each file, its versions, the authors of its lines, and
 * pending proposals.
 */
const brainTables = {
  /** The last known state of files. */
  brain_files: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      /** SHA-256 of the expected content. Null: the file is deleted. */
      hash: nullable(text()),
      size: integer(),
      /** The stamp of the file on disk; "" for none. */
      stamp: text(),
      /**
       * 1: the file on disk has `hash`. 0: the file on disk may still have the previous content.
       */
      settled: flag(),
      /**
       * For a guarded file: the content that a person last approved. Null: that it does not exist.
       */
      approved: nullable(text()),
    },
    key: ["agent", "path"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** The versions of each file, in the order of the brain. */
  brain_versions: table({
    columns: {
      agent: text<AgentId>(),
      /** Increases by one within a brain. */
      place: integer(),
      /** Shared by files that changed together. */
      change: text<ChangeId>(),
      kind: text<BrainChangeKind>(),
      at: integer(),
      /** Null: edited on disk. */
      by: nullable(text<AgentId>()),
      activation: nullable(text<ActivationId>()),
      path: text(),
      before: nullable(text()),
      after: nullable(text()),
      /** 1: a part of it has been erased. */
      erased: flag(),
      note: nullable(text()),
    },
    key: ["agent", "place"],
    indexes: {
      brain_versions_change: { on: ["change"] },
      brain_versions_path: { on: ["agent", "path"] },
      brain_versions_activation: { on: ["activation"], where: { column: "activation", is: "not null" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Contents of versions and proposals, by the SHA-256 of their bytes. */
  brain_bodies: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      /** With a base, the difference to it. Null: stored as the blob of this hash. */
      text: nullable(text()),
      /** The content that `text` differs from. Null: `text` is whole. */
      base: nullable(text()),
      /** How many differences lead to a whole content. */
      depth: integer(),
    },
    key: ["agent", "hash"],
    indexes: {
      brain_bodies_blob: { on: ["hash"], where: { column: "text", is: "null" } },
    },
    blob: { column: "hash", ifNull: "text" },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Lines that were not written by the owner. */
  brain_lines: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      /** SHA-256 of the trimmed line. */
      line: text(),
      labels: json<Label>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
    },
    key: ["agent", "path", "line"],
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Changes of guarded files that need a person's decision. */
  brain_proposals: table({
    columns: {
      id: text<ProposalId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      activation: nullable(text<ActivationId>()),
      path: text(),
      /** The content before and after. Null: the file does not exist. */
      before: nullable(text()),
      after: nullable(text()),
      why: text(),
      /** 1: the agent is blocked until it is decided. */
      halts: flag(),
      labels: json<Label>(),
      state: text<ProposalState>(),
      at: integer(),
      by: nullable(text<AgentId>()),
      reason: nullable(text()),
      decided_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      brain_proposals_agent: {
        on: ["agent"],
        fewRows: "A person decides each proposal of an agent, and is asked rarely.",
      },
      brain_proposals_pending: {
        on: ["agent"],
        where: { column: "state", is: "=", value: "pending" },
        fewRows: "Proposals that wait for a person.",
      },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "forever",
  }),
};

/** The tables of channels: incoming updates, conversations, senders and outgoing deliveries. */
const channelTables = {
  /** Incoming updates of channels, once each. */
  inbound: table({
    columns: {
      channel: text(),
      /** The platform's id of the update. */
      external: text(),
      /** The time that the platform reports. */
      at: integer(),
      conversation: text(),
      /** The platform's id of the message that it is or changes. */
      message: text(),
      sender: text(),
      room: nullable(text<RoomId>()),
      /** The event that it became. */
      event: nullable(text<EventId>()),
      fate: text<"accepted" | RefusalFate>(),
      /** The time of receipt by the clock of the house. */
      received_at: integer(),
    },
    key: ["channel", "external"],
    indexes: {
      inbound_event: { on: ["event"], where: { column: "event", is: "not null" } },
      inbound_message: { on: ["channel", "conversation", "message"] },
      inbound_fate: { on: ["channel", "fate", "at"] },
      inbound_accepted: {
        on: ["channel", "conversation", "at"],
        where: { column: "fate", is: "=", value: "accepted" },
      },
      inbound_received: { on: ["received_at"] },
      inbound_unpaired: { on: ["channel", "sender", "at"], where: { column: "fate", is: "=", value: "unpaired" } },
    },
    owner: "home",
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "received_at" },
  }),
  /** The read position of each polled channel. */
  cursors: table({
    columns: {
      channel: text(),
      cursor: text(),
    },
    key: ["channel"],
    owner: "home",
    growsWith: "setup",
  }),
  /** The room of each channel conversation. */
  conversations: table({
    columns: {
      channel: text(),
      conversation: text(),
      kind: text(),
      name: text(),
      room: text<RoomId>(),
      created_at: integer(),
    },
    key: ["channel", "conversation"],
    indexes: {
      conversations_room: { on: ["room"], fewRows: "A room is one conversation, or two after a move." },
    },
    owner: "home",
    growsWith: "use",
    retention: "forever",
  }),
  /** Senders on channels, and the person that each is. */
  senders: table({
    columns: {
      channel: text(),
      external: text(),
      name: text(),
      person: nullable(text<AgentId>()),
      state: text<Pairing["state"]>(),
      /** SHA-256 of the pairing code. */
      code_hash: nullable(text()),
      code_expires_at: nullable(integer()),
      created_at: integer(),
    },
    key: ["channel", "external"],
    indexes: {
      senders_code: { on: ["code_hash"], where: { column: "code_hash", is: "not null" } },
    },
    owner: "home",
    growsWith: "use",
    retention: "forever",
    credentials: ["code_hash"],
  }),
  /** Outgoing deliveries, in the order of their conversation. */
  outbox: table({
    columns: {
      /** Derived from what it delivers, so that planning it twice makes one row. */
      id: text<DeliveryId>(),
      channel: text(),
      conversation: text(),
      /** Increases within a conversation. */
      place: integer(),
      room: nullable(text<RoomId>()),
      /** The event that it delivers. */
      event: nullable(text<EventId>()),
      body: text(),
      /** The platform's id of the message that it answers. */
      reply_to: nullable(text()),
      /** Choices that its reader can press. */
      choices: nullable(json<readonly { readonly label: string; readonly word: string }[]>()),
      /** The earlier row whose choices it replaces by their outcome. */
      ends: nullable(text<DeliveryId>()),
      /** The attachment of the event that it delivers. Null: it delivers `body`. */
      file: nullable(text<UploadId>()),
      /** Whether `body` is sent as audio. */
      spoken: flag(),
      /** `queued → sending → sent | unknown | refused`. */
      state: text<DeliveryState>(),
      attempts: integer(),
      /** UTC milliseconds before which it is not sent. */
      not_before: integer(),
      /** The platform's id of the sent message. */
      external: nullable(text()),
      error: nullable(json<ErrorBody>()),
      created_at: integer(),
      ended_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      outbox_waiting: { on: ["channel", "state", "conversation", "place"] },
      outbox_event: { on: ["event"], where: { column: "event", is: "not null" } },
      outbox_ended: { on: ["ended_at"], where: { column: "ended_at", is: "not null" } },
      outbox_listed: { on: ["channel", "state", "created_at", "place"] },
      outbox_sending: {
        on: ["id"],
        where: { column: "state", is: "=", value: "sending" },
        fewRows: "Deliveries in progress.",
      },
    },
    owner: "home",
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "ended_at" },
  }),
};

/** The table of compactions: stretches of a room that are replaced by summaries for an agent. */
const compactionTables = {
  compactions: table({
    columns: {
      agent: text<AgentId>(),
      room: text<RoomId>(),
      /** Increases by one per agent and room. */
      place: integer(),
      state: text<CompactionState>(),
      reason: nullable(text()),
      /** For one that a person requested: how many of the last messages stay. */
      keep: nullable(integer()),
      /** Null: it has not begun. */
      activation: nullable(text<ActivationId>()),
      /** The events after this one, through `through`. 0 and 0 until it begins. */
      after: integer(),
      through: integer(),
      /** The room's last offset when they were read. */
      head: integer(),
      messages: integer(),
      tokens: nullable(integer()),
      /** The blob of the summary's text. */
      summary: nullable(text()),
      labels: nullable(json<Label>()),
      files: json<readonly KeptFile[]>(),
      usage: json<Usage>(),
      at: integer(),
      ended_at: nullable(integer()),
    },
    key: ["agent", "room", "place"],
    indexes: {
      compactions_activation: { on: ["activation"], where: { column: "activation", is: "not null" } },
      compactions_summary: { on: ["summary"], where: { column: "summary", is: "not null" } },
    },
    blob: { column: "summary" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: "forever",
  }),
};

/** The tables of durable streams. The store itself writes events and heads. */
const eventTables = {
  /**
   * Events of durable streams, written only by `append`. JSON in `body`, or, if it is long, in the
   * blob of this hash.
   */
  events: table({
    columns: {
      stream: text(),
      offset: integer(),
      id: text<EventId>(),
      type: text(),
      at: integer(),
      body: nullable(text()),
      blob: nullable(text()),
      /** The label of its text. */
      labels: nullable(json<Label>()),
      /** For sealed streams: written by the store, see `seal.ts`. */
      seal: nullable(text()),
    },
    key: ["stream", "offset"],
    unique: [["stream", "id"]],
    indexes: {
      events_blob: { on: ["blob"], where: { column: "blob", is: "not null" } },
      events_with_blob: { on: ["at"], where: { column: "blob", is: "not null" } },
    },
    blob: { column: "blob" },
    owner: { by: "stream", column: "stream" },
    growsWith: "use",
    retention: "forever",
    hasRowid: true,
  }),
  /** Ranges of audit logs whose rows are in a blob instead of `events`: see `audit/segments.ts`. */
  audit_segments: table({
    columns: {
      house: text<HouseId>(),
      /** The offset before the first row. */
      after: integer(),
      /** The offset of the last row. */
      through: integer(),
      blob: text(),
      /** The size of the blob in bytes. */
      size: integer(),
      /** When it was written. */
      at: integer(),
    },
    key: ["house", "after"],
    indexes: {
      audit_segments_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "forever",
  }),
  /** The offset of each stream's last event. Written only by `append`. */
  heads: table({
    columns: {
      stream: text(),
      head: integer(),
    },
    key: ["stream"],
    owner: { by: "stream", column: "stream" },
    growsWith: "setup",
  }),
  /** The position of each named reader of a stream. */
  readers: table({
    columns: {
      reader: text(),
      stream: text(),
      offset: integer(),
    },
    key: ["reader", "stream"],
    owner: { by: "stream", column: "stream" },
    growsWith: "setup",
  }),
};

/**
 * The tables of jobs: their state, and the outcomes of their slots. The jobs themselves are in
 * `cron/jobs.toml` of each brain.
 */
const jobTables = {
  jobs: table({
    columns: {
      agent: text<AgentId>(),
      name: text(),
      /** The person in whose name it runs. */
      owner: text<AgentId>(),
      /** Its settings in the file. */
      terms: json<unknown>(),
      /** Labels of its lines. Null: the owner wrote them. */
      labels: nullable(json<Label>()),
      status: text<JobStatus>(),
      /** The next slot without an outcome, or null. */
      next_at: nullable(integer()),
      /** Failed slots in a row. */
      failures: integer(),
      /** UTC milliseconds before which it does not fire. */
      not_before: integer(),
      /** Increases with each change, for optimistic locking. */
      version: integer(),
      created_at: integer(),
      /** The channel where it was requested. Null: in the house. */
      way: nullable(json<ReplyRoute>()),
    },
    key: ["agent", "name"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Slots with an outcome. Rows of one job never overlap, except manual ones. */
  job_slots: table({
    columns: {
      agent: text<AgentId>(),
      job: text(),
      /** UTC milliseconds. */
      slot: integer(),
      /** 1: fired by a person or a webhook, outside of the schedule. */
      by_hand: flag(),
      /** The last of consecutive slots with the same outcome, and their number. */
      through: integer(),
      count: integer(),
      fate: text<SlotFate>(),
      reason: text(),
      fired_at: nullable(integer()),
      /** Null: its activation has not ended. */
      ended_at: nullable(integer()),
      activation: nullable(text<ActivationId>()),
      /** The event of the reply. */
      result: nullable(text<EventId>()),
      /** The job's reply route when it fired. */
      way: nullable(json<ReplyRoute>()),
    },
    key: ["agent", "job", "slot", "by_hand"],
    indexes: {
      job_slots_open: {
        on: ["agent", "job"],
        where: { column: "ended_at", is: "null" },
        fewRows: "Slots whose activation has not ended.",
      },
      job_slots_ended: { on: ["ended_at"], where: { column: "ended_at", is: "not null" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: {
      setting: "jobDays",
      since: "ended_at",
      keepsLast: { of: ["agent", "job", "by_hand"], by: "slot" },
    },
  }),
  /** Webhooks that a person enabled. Each accepts calls while the job's file enables them too. */
  job_hooks: table({
    columns: {
      /** Part of its URL. */
      id: text<JobHookId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      job: text(),
      /** The name of its key in the vault. */
      secret: text(),
      created_at: integer(),
    },
    key: ["id"],
    unique: [["agent", "job"]],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Webhook deliveries that fired, to ignore repeated ones. */
  job_deliveries: table({
    columns: {
      hook: text<JobHookId>(),
      /** The sender's id for it: its `webhook-id`. */
      delivery: text(),
      agent: text<AgentId>(),
      /** The slot that it fired. */
      slot: integer(),
      at: integer(),
    },
    key: ["hook", "delivery"],
    indexes: {
      job_deliveries_at: { on: ["at"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "at" },
  }),
};

/** The tables of policy: approvals, rules, and spending. */
const policyTables = {
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

/** The tables of records, and of the credentials and permissions of people. */
const recordTables = {
  /** The current state of houses, rooms and agents. */
  records: table({
    columns: {
      id: text<RecordId>(),
      type: text<RecordType>(),
      house: text<HouseId>(),
      handle: text(),
      version: integer(),
      created_at: integer(),
      updated_at: integer(),
      content: json<HearthRecord["content"]>(),
    },
    key: ["id"],
    unique: [["house", "type", "handle"]],
    indexes: {
      records_type: { on: ["type", "handle"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
    hasRowid: true,
  }),
  keys: table({
    columns: {
      id: text<KeyId>(),
      name: text(),
      agent: text<AgentId>(),
      /** SHA-256 of the key. */
      hash: text(),
      created_at: integer(),
      revoked_at: nullable(integer()),
      /** Limits of its rights. Null for all rights of its agent. */
      scope: nullable(json<KeyScope>()),
      expires_at: nullable(integer()),
    },
    key: ["id"],
    unique: [["hash"]],
    indexes: {
      keys_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** The last use of each key. A separate table, so that a deferred write never restores a revoked key. */
  key_uses: table({
    columns: {
      id: text<KeyId>(),
      agent: text<AgentId>(),
      /** To within an hour. */
      used_at: integer(),
    },
    key: ["id"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Browser sessions, by the SHA-256 of their cookie. */
  logins: table({
    columns: {
      hash: text(),
      id: text<SessionId>(),
      agent: text<AgentId>(),
      /** The browser's description of itself. */
      about: text(),
      created_at: integer(),
      expires_at: integer(),
      /** The name that the person gave the browser. */
      name: nullable(text()),
      /** The last use, to within some minutes, and its address. */
      used_at: integer(),
      address: nullable(text()),
      /** How it began. Null: unknown. */
      method: nullable(text<LoginMethod>()),
    },
    key: ["hash"],
    unique: [["id"]],
    indexes: {
      logins_agent: { on: ["agent"], fewRows: "Sessions of a person are limited in number." },
      logins_expiry: { on: ["expires_at"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "area",
    credentials: "rows",
  }),
  /** Argon2id, in the PHC string format. */
  passwords: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      at: integer(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** People whose logins need a code. The seed is in the vault, under the name that `id` gives. */
  second_factors: table({
    columns: {
      agent: text<AgentId>(),
      id: text(),
      /** The time step of the last code that was used. Earlier codes are not accepted again. */
      last_step: integer(),
      created_at: integer(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Codes that work once, in place of a code of the app. By their SHA-256. */
  recovery_codes: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      used_at: nullable(integer()),
    },
    key: ["agent", "hash"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Public keys with which people log in, by their credential id. */
  passkeys: table({
    columns: {
      id: text(),
      agent: text<AgentId>(),
      name: text(),
      /** COSE, as base64url. */
      public_key: text(),
      /** The signatures that the authenticator has counted. 0: it counts none. */
      counter: integer(),
      /** The name of the house's address for which it was made. */
      host: text(),
      created_at: integer(),
      /** The last login. Null: it was never used. */
      used_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      passkeys_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Accounts at OpenID Connect providers with which people log in. */
  identities: table({
    columns: {
      /** 128 bits of the SHA-256 of the issuer and the subject, which together identify the account. */
      id: text(),
      agent: text<AgentId>(),
      /** The name of the provider in the config file when the account was linked. */
      provider: text(),
      issuer: text(),
      subject: text(),
      /** The name or the address of the account, as the provider reported it. Only for display. */
      account: nullable(text()),
      created_at: integer(),
      /** The last login. Null: it was never used. */
      used_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      identities_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Invite links, by the SHA-256 of their token. */
  invites: table({
    columns: {
      id: text<InviteId>(),
      house: text<HouseId>(),
      hash: text(),
      /** The level of the guest on the rooms, or on the house. */
      level: text<Level>(),
      /** Null: the level applies to the whole house. */
      rooms: nullable(json<readonly RoomId[]>()),
      note: nullable(text()),
      by: text<AgentId>(),
      created_at: integer(),
      expires_at: integer(),
      used_at: nullable(integer()),
      used_by: nullable(text<AgentId>()),
      revoked_at: nullable(integer()),
      /** Rights of the guest beside the level. Null: none. */
      rights: nullable(json<readonly Right[]>()),
    },
    key: ["id"],
    unique: [["hash"]],
    indexes: {
      invites_house: { on: ["house"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Permissions on houses and rooms. */
  grants: table({
    columns: {
      agent: text<AgentId>(),
      /** A house's or a room's id. */
      target: text<Place>(),
      /** The house of the target. */
      house: text<HouseId>(),
      level: text<Level>(),
      by: text<AgentId>(),
      at: integer(),
      /** Rights beside the level. Null: none. */
      rights: nullable(json<readonly Right[]>()),
    },
    key: ["agent", "target"],
    indexes: {
      grants_target: { on: ["target"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Browsers of people that get notifications from a push service. */
  push_devices: table({
    columns: {
      /** 128 bits of the SHA-256 of the person and the endpoint. */
      id: text(),
      agent: text<AgentId>(),
      /** It gets nothing after the end of this session. Null: until it is removed. */
      session: nullable(text<SessionId>()),
      name: text(),
      /** The address at the push service, which only the browser and the house know. */
      endpoint: text(),
      /** The keys for which the house encrypts, as base64url. */
      p256dh: text(),
      auth: text(),
      created_at: integer(),
      sent_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      push_devices_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** The kinds of notification that each person wants. */
  push_choices: table({
    columns: {
      agent: text<AgentId>(),
      choices: json<PushChoices>(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Which replies each person hears. Without a row, `DEFAULT_SPOKEN_REPLIES`. */
  voice_choices: table({
    columns: {
      agent: text<AgentId>(),
      replies: text<SpokenReplies>(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Rooms that people pinned or archived in their own lists. */
  room_views: table({
    columns: {
      /** The person. */
      agent: text<AgentId>(),
      room: text<RoomId>(),
      pinned_at: nullable(integer()),
      /** The head of the room when it was archived. */
      archived_head: nullable(integer()),
    },
    key: ["agent", "room"],
    indexes: {
      room_views_room: { on: ["room"] },
    },
    owner: { by: "room", column: "room" },
    growsWith: "setup",
  }),
};

/** The tables that distinguish a restored or copied database from the one that clients know. */
const restoreTables = {
  /** One row: the random id that the database got at its first start. */
  epochs: table({
    columns: {
      epoch: text(),
      at: integer(),
    },
    key: ["epoch"],
    owner: "home",
    growsWith: "setup",
  }),
  /**
   * One row: the start of the house that last wrote this file. It detects a SQLite log of another
   * file.
   */
  generations: table({
    columns: {
      generation: text(),
    },
    key: ["generation"],
    owner: "home",
    growsWith: "setup",
    describesFile: true,
  }),
  /** Signs that the home was restored or copied, one row each, with the owner's decision. */
  restore_findings: table({
    columns: {
      /** Derived from the sign, so that each is one row. */
      id: text(),
      house: nullable(text<HouseId>()),
      kind: text<RestoreFindingKind>(),
      /** For people. */
      detail: text(),
      found_at: integer(),
      /** Null: the house is on hold. */
      decision: nullable(text<RestoreDecision>()),
      by: nullable(text<AgentId>()),
      decided_at: nullable(integer()),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
  }),
};

/** The tables of the vault. None has a value or a key in plain text. */
const secretTables = {
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

/** The tables of byte streams, their producers and subscriptions. */
const streamTables = {
  /** Byte streams that agents created. Their content is the events of `bytes:ID`. */
  byte_streams: table({
    columns: {
      id: text<ByteStreamId>(),
      house: text<HouseId>(),
      path: text(),
      /** The agent that created it. */
      owner: text<AgentId>(),
      content_type: text(),
      ttl_seconds: nullable(integer()),
      /** When it expires, as set at its creation. */
      expires_at: nullable(integer()),
      /** When it expires at present: with a time to live, reads and writes extend it. */
      due_at: nullable(integer()),
      /** `open → closed → gone`; a row that is gone stays only for its forks. */
      state: text(),
      /** The greatest `Stream-Seq`. */
      last_seq: nullable(text()),
      /** The source of a fork, and the requested position in it. */
      source: nullable(text<ByteStreamId>()),
      fork_offset: integer(),
      fork_sub: integer(),
      /** The last offset read from the source. Its own events follow. */
      base: integer(),
      /** The number of streams forked from it. */
      forks: integer(),
      created_at: integer(),
    },
    key: ["id"],
    unique: [["house", "path"]],
    indexes: {
      byte_streams_due: { on: ["due_at"], where: { column: "due_at", is: "not null" } },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The last append of each idempotent producer. */
  byte_producers: table({
    columns: {
      stream: text<ByteStreamId>(),
      producer: text(),
      epoch: integer(),
      seq: integer(),
    },
    key: ["stream", "producer"],
    owner: { by: "byteStream", column: "stream" },
    growsWith: "use",
    retention: "area",
  }),
  /** Subscriptions, which are notified when streams of a house grow. */
  subscriptions: table({
    columns: {
      house: text<HouseId>(),
      id: text(),
      owner: text<AgentId>(),
      /** The requested settings. */
      config: json<SubscriptionConfig>(),
      /** Its tokens are derived from this. */
      secret: text(),
      /** Counts its wakes. */
      generation: integer(),
      /** The id of the wake in progress. */
      wake: nullable(text()),
      /** The worker that has claimed it. */
      holder: nullable(text()),
      lease_until: nullable(integer()),
      /** Failed deliveries of this wake. */
      attempts: integer(),
      /** When the next delivery is due. */
      retry_at: nullable(integer()),
      created_at: integer(),
    },
    key: ["house", "id"],
    owner: { by: "house", column: "house" },
    growsWith: "setup",
    credentials: ["secret"],
  }),
  /** The streams of a subscription, and their acknowledged positions. */
  subscription_links: table({
    columns: {
      house: text<HouseId>(),
      subscription: text(),
      path: text(),
      /** The last stream at this path; another one is read from its beginning. */
      stream: nullable(text<ByteStreamId>()),
      /** 1: subscribed by name. */
      is_explicit: flag(),
      /** 1: matches the pattern. */
      is_matched: flag(),
      acked: integer(),
    },
    key: ["house", "subscription", "path"],
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Ed25519 keys that sign webhooks of the house. */
  signing_keys: table({
    columns: {
      id: text(),
      public: text(),
      secret: text(),
      created_at: integer(),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
    credentials: "rows",
  }),
};

/** The tables of activations and their journal, of leases and holds, and of messages between agents. */
const turnTables = {
  activations: table({
    columns: {
      id: text<ActivationId>(),
      agent: text<AgentId>(),
      room: text<RoomId>(),
      trigger: text<Trigger>(),
      cause: text<EventId>(),
      /** The offset of `cause` in the room. */
      cause_offset: integer(),
      person: text<AgentId>(),
      state: text<ActivationState>(),
      reason: nullable(text()),
      error: nullable(json<ErrorBody>()),
      model: nullable(text()),
      usage: json<Usage>(),
      /** The frozen input, as JSON or the hash of a blob. */
      frozen: nullable(text()),
      frozen_blob: nullable(text()),
      created_at: integer(),
      started_at: nullable(integer()),
      ended_at: nullable(integer()),
      /** The lease number of its last start. */
      fence: integer(),
      /** Daemon crashes during it since its journal last gained a step. */
      crashes: integer(),
      /** Finished steps in its journal at its last start. */
      progress: integer(),
      /** Retries since its journal last gained a step. */
      retries: integer(),
      /** UTC milliseconds of the next retry. 0: no retry is due. */
      retry_at: integer(),
      /** The activation that a person started to replace it after it failed. */
      retried_by: nullable(text<ActivationId>()),
      /** The number of bot activations that led to it. */
      depth: integer(),
      /** The activation that took in its message and answers it too. */
      merged_into: nullable(text<ActivationId>()),
      /** The reason why it waits. */
      parked: nullable(json<unknown>()),
      /** Why it was skipped before any model call. */
      skip: nullable(text<SkipReason>()),
      /** For ambient ones: UTC milliseconds before which they are not considered. 0: no wait. */
      ready_at: integer(),
      /**
       * The person's message at the start of the chain, otherwise `cause`. Null in old rows.
       */
      root: nullable(text<EventId>()),
      /** The activation that requested or delegated it. */
      parent: nullable(text<ActivationId>()),
      /** The inbox message with its request. */
      inbox: nullable(text<InboxId>()),
    },
    key: ["id"],
    indexes: {
      activations_agent: { on: ["agent", "created_at"] },
      activations_room: { on: ["room", "created_at"] },
      activations_cause: { on: ["cause"] },
      activations_created: { on: ["created_at"] },
      activations_state: { on: ["state", "created_at"] },
      activations_merged: { on: ["merged_into"], where: { column: "merged_into", is: "not null" } },
      activations_root: { on: ["root", "room"] },
      activations_parent: { on: ["parent"], where: { column: "parent", is: "not null" } },
      activations_open: {
        on: ["agent", "room"],
        where: { column: "ended_at", is: "null" },
        fewRows: "Activations that have not ended.",
      },
      activations_unfinished: {
        on: ["agent", "room", "created_at"],
        where: { column: "state", is: "in", values: ["failed", "stopped"] },
      },
      activations_ended: { on: ["ended_at"], where: { column: "ended_at", is: "not null" } },
      activations_frozen_blob: { on: ["frozen_blob"], where: { column: "frozen_blob", is: "not null" } },
    },
    blob: { column: "frozen_blob" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: "turn",
    hasRowid: true,
  }),
  /** The journal: one row per call across a boundary. */
  steps: table({
    columns: {
      activation: text<ActivationId>(),
      step: integer(),
      kind: text<"model" | "tool" | "intake">(),
      name: text(),
      input_hash: text(),
      effect: text<EffectClass>(),
      state: text<"started" | "done" | "unknown">(),
      output: nullable(text()),
      output_blob: nullable(text()),
      started_at: integer(),
      ended_at: nullable(integer()),
      labels: nullable(json<Label>()),
      /** The stage of the choke point that refused it. */
      refused_by: nullable(text()),
    },
    key: ["activation", "step"],
    indexes: {
      steps_output_blob: { on: ["output_blob"], where: { column: "output_blob", is: "not null" } },
    },
    blob: { column: "output_blob" },
    owner: { by: "activation", column: "activation" },
    growsWith: "use",
    retention: "turn",
  }),
  /** The blobs of files in the results of tools. */
  step_files: table({
    columns: {
      activation: text<ActivationId>(),
      step: integer(),
      blob: text(),
      /** In bytes. */
      size: integer(),
    },
    key: ["activation", "step", "blob"],
    indexes: {
      step_files_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "activation", column: "activation" },
    growsWith: "use",
    retention: "turn",
  }),
  /** Labels of files that agents wrote. */
  files: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      labels: json<Label>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
    },
    key: ["agent", "path"],
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Leases. The number increases with each holder; a write under an older one is refused. */
  leases: table({
    columns: {
      name: text(),
      holder: text(),
      fence: integer(),
      expires_at: integer(),
    },
    key: ["name"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Holds: `house`, or an agent's id. */
  holds: table({
    columns: {
      scope: text<HoldScope>(),
      by: text<AgentId>(),
      at: integer(),
    },
    key: ["scope"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Messages between agents. */
  inbox: table({
    columns: {
      id: text<InboxId>(),
      sender: text<AgentId>(),
      recipient: text<AgentId>(),
      type: text<InboxType>(),
      status: text<InboxStatus>(),
      text: text(),
      room: text<RoomId>(),
      /** The activation that wrote it. */
      activation: text<ActivationId>(),
      reply_to: nullable(text<InboxId>()),
      /** Limits of a delegation. */
      limits: nullable(json<unknown>()),
      labels: nullable(json<Label>()),
      at: integer(),
      read_at: nullable(integer()),
      read_by: nullable(text<ActivationId>()),
      /** When its status last changed; null while it is pending. */
      moved_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      inbox_recipient: { on: ["recipient", "status", "at"] },
      inbox_reply: { on: ["reply_to"], where: { column: "reply_to", is: "not null" } },
      inbox_moved: { on: ["moved_at"], where: { column: "moved_at", is: "not null" } },
      inbox_listed: { on: ["recipient", "at", "id"] },
    },
    owner: { by: "agent", column: "recipient" },
    growsWith: "use",
    retention: "area",
  }),
};

/** The tables of uploads, and of the messages that name them as attachments. */
const uploadTables = {
  /** Files on their way into the house, and those that messages name. */
  uploads: table({
    columns: {
      id: text<UploadId>(),
      /** The house of its owner. */
      house: text<HouseId>(),
      /** The agent that uploads it. */
      owner: text<AgentId>(),
      name: text(),
      /** In bytes, as declared at its beginning. */
      size: integer(),
      /** Bytes that arrived. */
      offset: integer(),
      /** `open → complete → named`. A named one is `complete` again when its message is deleted. */
      state: text<UploadState>(),
      /** SHA-256 of what is stored. Null: it is open. */
      hash: nullable(text()),
      /** Size of what is stored. A picture without its metadata is smaller than its upload. */
      final_size: nullable(integer()),
      facts: nullable(json<MediaFacts>()),
      created_at: integer(),
      /** When it last grew, was completed, or lost its message. */
      changed_at: integer(),
    },
    key: ["id"],
    indexes: {
      uploads_unnamed: { on: ["changed_at"], where: { column: "state", is: "in", values: ["open", "complete"] } },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The bytes of uploads, one blob for each part. */
  upload_parts: table({
    columns: {
      upload: text<UploadId>(),
      /** The place of its first byte in the upload. */
      start: integer(),
      size: integer(),
      blob: text(),
      house: text<HouseId>(),
    },
    key: ["upload", "start"],
    indexes: {
      upload_parts_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The texts of documents, for models that do not take the documents. */
  upload_texts: table({
    columns: {
      upload: text<UploadId>(),
      /** SHA-256 of the document. Uploads of one house with the same content share a conversion. */
      hash: text(),
      /** The result of the conversion as JSON. */
      blob: text(),
      house: text<HouseId>(),
    },
    key: ["upload"],
    indexes: {
      upload_texts_hash: { on: ["hash"] },
      upload_texts_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** Pictures that were scaled down, for pages and models. */
  upload_pictures: table({
    columns: {
      upload: text<UploadId>(),
      /** The limit of width and height, in pixels. */
      edge: integer(),
      /** SHA-256 of the whole picture. Uploads of one house with the same content share a scaled one. */
      hash: text(),
      blob: text(),
      size: integer(),
      type: text(),
      width: integer(),
      height: integer(),
      house: text<HouseId>(),
    },
    key: ["upload", "edge"],
    indexes: {
      upload_pictures_hash: { on: ["hash"] },
      upload_pictures_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** Totals of the uploads of each agent and each house. */
  upload_quotas: table({
    columns: {
      holder: text<AgentId | HouseId>(),
      /** Declared sizes of all its uploads. */
      bytes: integer(),
      /** Its uploads that are not complete. */
      open: integer(),
    },
    key: ["holder"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Which messages name an upload. Only readers of the room may download it. */
  attachments: table({
    columns: {
      room: text<RoomId>(),
      upload: text<UploadId>(),
      event: text<EventId>(),
      /** The sender's text about the file. */
      caption: nullable(text()),
    },
    key: ["room", "upload", "event"],
    indexes: {
      attachments_upload: { on: ["upload"], fewRows: "Few messages name the same upload." },
      attachments_event: { on: ["event"], fewRows: "A message has at most MAX_ATTACHMENTS." },
    },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Speech of attached audio as text. Deleted with each message that names the upload. */
  transcripts: table({
    columns: {
      upload: text<UploadId>(),
      house: text<HouseId>(),
      /** Null: the transcription failed. */
      text: nullable(text()),
      language: nullable(text()),
      segments: nullable(json<readonly TranscriptSegment[]>()),
      /** Kind and model of the transcriber. */
      source: text(),
      /** Micro-dollars. */
      cost: integer(),
      error: nullable(json<ErrorBody>()),
      /** The person who corrected the text. */
      edited_by: nullable(text<AgentId>()),
      at: integer(),
    },
    key: ["upload"],
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** Descriptions of attached pictures. Deleted with each message that names the upload. */
  picture_descriptions: table({
    columns: {
      upload: text<UploadId>(),
      house: text<HouseId>(),
      /** SHA-256 of the picture. Uploads of one house with the same content share a description. */
      hash: text(),
      /** Null: the picture could not be described. */
      text: nullable(text()),
      /** The model that described it. */
      source: text(),
      /** Micro-dollars. */
      cost: integer(),
      error: nullable(json<ErrorBody>()),
      at: integer(),
    },
    key: ["upload"],
    indexes: { picture_descriptions_hash: { on: ["hash"] } },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The last spoken form of a message. */
  speeches: table({
    columns: {
      event: text<EventId>(),
      room: text<RoomId>(),
      /** Hash of the text and the speaker. */
      hash: text(),
      blob: text(),
      size: integer(),
      type: text(),
      at: integer(),
    },
    key: ["event"],
    indexes: {
      speeches_at: { on: ["at"] },
      speeches_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "at" },
  }),
};

export const tables = {
  ...recordTables,
  ...eventTables,
  ...turnTables,
  ...brainTables,
  ...jobTables,
  ...compactionTables,
  ...channelTables,
  ...policyTables,
  ...secretTables,
  ...streamTables,
  ...uploadTables,
  ...restoreTables,
};

type Declared = typeof tables;
type TypeOf<Declaration> = Declaration extends Column<infer Type> ? Type : never;

export type TableName = keyof Declared;
/** Tables that callers write directly. The others are written by `append`. */
export type WritableTable = Exclude<TableName, "events" | "heads">;
/** A row of a table. */
export type Row<Name extends TableName> = {
  readonly [Column in keyof Declared[Name]["columns"]]: TypeOf<Declared[Name]["columns"][Column]>;
};

export const tableNames = Object.keys(tables) as readonly TableName[];
