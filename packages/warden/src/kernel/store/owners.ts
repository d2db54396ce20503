/**
 * The house of each row. API requests are answered only from rows of houses that the caller can
 * see.
 */
import type { Row, TableName } from "./tables/tables.ts";

/**
 * `home`: belongs to the machine, for people who decide in the first house. Otherwise the column
 * that leads to the house: its id, or that of an agent, a room, an activation, a stream or a byte
 * stream.
 */
export type Owner<Table extends TableName> =
  | "home"
  | {
      readonly [Kind in "house" | "agent" | "room" | "activation" | "stream" | "byteStream"]: {
        readonly by: Kind;
        readonly column: keyof Row<Table> & string;
      };
    }["house" | "agent" | "room" | "activation" | "stream" | "byteStream"];

export const owners: { readonly [Table in TableName]: Owner<Table> } = {
  records: { by: "house", column: "house" },
  events: { by: "stream", column: "stream" },
  heads: { by: "stream", column: "stream" },
  readers: { by: "stream", column: "stream" },
  activations: { by: "room", column: "room" },
  steps: { by: "activation", column: "activation" },
  files: { by: "agent", column: "agent" },
  brain_files: { by: "agent", column: "agent" },
  brain_versions: { by: "agent", column: "agent" },
  brain_bodies: { by: "agent", column: "agent" },
  brain_lines: { by: "agent", column: "agent" },
  brain_proposals: { by: "house", column: "house" },
  compactions: { by: "room", column: "room" },
  jobs: { by: "agent", column: "agent" },
  job_slots: { by: "agent", column: "agent" },
  job_hooks: { by: "agent", column: "agent" },
  job_deliveries: { by: "agent", column: "agent" },
  leases: "home",
  holds: "home",
  // A platform's account belongs to the machine. People who decide in the first house manage it,
  // whichever house its agent is in.
  inbound: "home",
  cursors: "home",
  conversations: "home",
  senders: "home",
  outbox: "home",
  // Days of agents and of the whole home. Callers see reports made from records that they can see.
  spend: "home",
  approvals: { by: "house", column: "house" },
  approval_rules: { by: "house", column: "house" },
  keys: { by: "agent", column: "agent" },
  logins: { by: "agent", column: "agent" },
  passwords: { by: "agent", column: "agent" },
  grants: { by: "house", column: "house" },
  secrets: { by: "house", column: "house" },
  secret_grants: { by: "house", column: "house" },
  vault_keys: "home",
  egress: { by: "agent", column: "agent" },
  inbox: { by: "agent", column: "recipient" },
  byte_streams: { by: "house", column: "house" },
  byte_producers: { by: "byteStream", column: "stream" },
  subscriptions: { by: "house", column: "house" },
  subscription_links: { by: "house", column: "house" },
  signing_keys: "home",
  epochs: "home",
  generations: "home",
  restore_findings: "home",
};
