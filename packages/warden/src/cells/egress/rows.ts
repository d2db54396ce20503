/** Converts a ledger entry between its row and the API. */
import { readJson, writeJson, type Row } from "../../kernel/index.ts";
import type { EgressEntry } from "@hearth/protocol";

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
  secrets: writeJson(entry.secrets),
  usage: entry.usage === undefined ? null : writeJson(entry.usage),
});

export const toEntry = (row: Row<"egress">): EgressEntry => ({
  id: row.id,
  agent: row.agent,
  ...(row.activation === null ? {} : { activation: row.activation }),
  at: row.at,
  host: row.host,
  port: row.port,
  ...(row.method === null ? {} : { method: row.method }),
  ...(row.path === null ? {} : { path: row.path }),
  outcome: row.outcome,
  ...(row.status === null ? {} : { status: row.status }),
  ...(row.why === null ? {} : { why: row.why }),
  sentBytes: row.sent_bytes,
  receivedBytes: row.received_bytes,
  secrets: readJson(row.secrets),
  ...(row.usage === null ? {} : { usage: readJson(row.usage) }),
});
