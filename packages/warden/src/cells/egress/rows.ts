/** Converts a ledger entry between its row and the API. */
import type { Row } from "../../kernel/index.ts";
import type { ActivationId, AgentId, EgressEntry, EgressId } from "@hearth/protocol";

export const toRow = (entry: EgressEntry): Row<"egress"> => ({
  id: entry.id,
  agent: entry.agent,
  activation: entry.activation ?? null,
  at: entry.at,
  host: entry.host,
  port: entry.port,
  method: entry.method ?? null,
  path: entry.path ?? null,
  outcome: entry.outcome,
  status: entry.status ?? null,
  why: entry.why ?? null,
  sent_bytes: entry.sentBytes,
  received_bytes: entry.receivedBytes,
  secrets: JSON.stringify(entry.secrets),
  usage: entry.usage === undefined ? null : JSON.stringify(entry.usage),
});

export const toEntry = (row: Row<"egress">): EgressEntry => ({
  id: row.id as EgressId,
  agent: row.agent as AgentId,
  ...(row.activation === null ? {} : { activation: row.activation as ActivationId }),
  at: row.at,
  host: row.host,
  port: row.port,
  ...(row.method === null ? {} : { method: row.method }),
  ...(row.path === null ? {} : { path: row.path }),
  outcome: row.outcome as EgressEntry["outcome"],
  ...(row.status === null ? {} : { status: row.status }),
  ...(row.why === null ? {} : { why: row.why }),
  sentBytes: row.sent_bytes,
  receivedBytes: row.received_bytes,
  secrets: JSON.parse(row.secrets),
  ...(row.usage === null ? {} : { usage: JSON.parse(row.usage) }),
});
