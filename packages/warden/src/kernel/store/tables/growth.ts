/**
 * Which tables grow while a house is used, and which by what people set up. No statement may scan a table that grows, or sort its rows;
 * `fixtures/query-plans.ts` checks this in every test of a whole warden.
 */
import type { TableName } from "./tables.ts";

export const growth: { readonly [Table in TableName]: "use" | "setup" } = {
  records: "setup",
  events: "use",
  heads: "setup",
  readers: "setup",
  activations: "use",
  steps: "use",
  files: "use",
  brain_files: "setup",
  brain_versions: "use",
  brain_bodies: "use",
  brain_lines: "use",
  brain_proposals: "use",
  jobs: "setup",
  job_slots: "use",
  job_hooks: "setup",
  job_deliveries: "use",
  compactions: "use",
  leases: "setup",
  holds: "setup",
  inbound: "use",
  cursors: "setup",
  conversations: "use",
  senders: "use",
  outbox: "use",
  spend: "use",
  approvals: "use",
  approval_rules: "setup",
  keys: "setup",
  logins: "use",
  passwords: "setup",
  grants: "setup",
  secrets: "setup",
  secret_grants: "setup",
  vault_keys: "setup",
  egress: "use",
  inbox: "use",
  byte_streams: "use",
  byte_producers: "use",
  subscriptions: "setup",
  subscription_links: "setup",
  signing_keys: "setup",
  epochs: "setup",
  generations: "setup",
  restore_findings: "setup",
};

/** Indexes whose rows under one key are few however long a house is used: they may be read whole and sorted. Each with the reason. */
export const indexesOfFewRows: Readonly<Record<string, string>> = {
  activations_open: "Activations that have not ended.",
  approvals_activation: "A person is asked a few times per activation.",
  approvals_allowed: "Approved calls that have not begun yet.",
  approvals_code: "A code belongs to one call.",
  approvals_pending: "Calls that wait for a person.",
  brain_proposals_agent: "A person decides each proposal of an agent, and is asked rarely.",
  brain_proposals_pending: "Proposals that wait for a person.",
  conversations_room: "A room is one conversation, or two after a move.",
  egress_activation: "Requests of one activation, which is limited in time.",
  job_slots_open: "Slots whose activation has not ended.",
  logins_agent: "Sessions of a person are limited in number.",
  outbox_sending: "Deliveries that are under way.",
};

/** Statements that read a whole table that grows. Each with the reason. */
export const statementsThatScan: Readonly<Record<string, string>> = {
  'select * from "egress" where "agent" = +?': "A person has a text erased, which is rare and looks at everything.",
  'select * from "inbox" where "sender" = +?': "A person has a text erased, which is rare and looks at everything.",
  'select * from "senders" order by "created_at" desc, "channel", "external"':
    "The page of pairings lists every sender, and nothing else asks.",
  'select * from "outbox" where "state" in (+?, +?) order by "created_at" limit +?':
    "The owner of a restored house lists what it would send again.",
  'select * from "outbox" where "state" in (+?, +?)':
    "The owner of a restored house discards what it would send again, once.",
  'select * from "compactions" where "agent" = +? order by "place" desc limit +?':
    "A person lists the compactions of an agent; one covers hundreds of messages, so there are few.",
};
