/** Shared by tests of stores: their harness, rows and writes. */
import { plainEvent, plainRow, type PlainColumns } from "../../../fixtures/rows.ts";
import { createSealer, createSealKeys, type Sealer } from "../seal.ts";
import type { AppendWrite, Store, Write } from "../store.ts";
import type { Row } from "../tables/tables.ts";

export interface StoreHarness extends AsyncDisposable {
  /** Seals with `testSealer`. */
  readonly store: Store;
}

/**
 * Seals streams whose names begin with `sealed:`. Each seal is its input in angle brackets, so that
 * tests can read it.
 */
export const testSealer: Sealer = createSealer({ covers: "sealed:", keys: createSealKeys([(text) => `<${text}>`]) });

export const record = (id: string, columns: Partial<PlainColumns<"records">> = {}): Row<"records"> =>
  plainRow("records", {
    id,
    type: "agent",
    house: "h",
    handle: id,
    version: 1,
    created_at: 0,
    updated_at: 0,
    content: "{}",
    ...columns,
  });
export const insert = (row: Row<"records">): Write => ({ kind: "insert", table: "records", row });

export const reader = (name: string, stream: string, offset: number): Row<"readers"> => ({
  reader: name,
  stream,
  offset,
});
export const insertReader = (name: string, stream: string): Write => ({
  kind: "insert",
  table: "readers",
  row: reader(name, stream, 1),
});

export const key = (id: string, columns: Partial<PlainColumns<"keys">> = {}): Row<"keys"> =>
  plainRow("keys", {
    id,
    name: id,
    agent: "a",
    hash: `hash-${id}`,
    created_at: 0,
    revoked_at: null,
    scope: null,
    expires_at: null,
    ...columns,
  });
export const insertKey = (row: Row<"keys">): Write => ({ kind: "insert", table: "keys", row });
export const insertLogin = (row: Row<"logins">): Write => ({ kind: "insert", table: "logins", row });

export const insertActivation = (id: string): Write => ({
  kind: "insert",
  table: "activations",
  row: plainRow("activations", {
    id,
    agent: "a",
    room: "r",
    trigger: "direct",
    cause: "e",
    cause_offset: 1,
    person: "p",
    state: "queued",
    reason: null,
    error: null,
    model: null,
    usage: "{}",
    frozen: null,
    frozen_blob: null,
    progress: 0,
    retries: 0,
    retry_at: 0,
    retried_by: null,
    created_at: 0,
    started_at: null,
    ended_at: null,
    fence: 0,
    crashes: 0,
    depth: 0,
    merged_into: null,
    parked: null,
    skip: null,
    ready_at: 0,
    root: null,
    parent: null,
    inbox: null,
  }),
});

export const insertStep = (step: number): Write => ({
  kind: "insert",
  table: "steps",
  row: plainRow("steps", {
    activation: "x",
    step,
    kind: "tool",
    name: "read",
    input_hash: "h",
    effect: "pure",
    state: "started",
    output: null,
    output_blob: null,
    labels: null,
    refused_by: null,
    started_at: 0,
    ended_at: null,
  }),
});

export const append = (stream: string, id: string, body = id): AppendWrite => ({
  kind: "append",
  stream,
  event: plainEvent({ id, type: "message", at: 0, body, blob: null, labels: null }),
});

export const recordIds = async (store: Store): Promise<readonly string[]> =>
  (await store.select({ table: "records", order: [{ column: "id" }] })).map((row) => row.id);

export const offsetsOf = async (store: Store, stream: string): Promise<readonly number[]> =>
  (await store.select({ table: "events", where: { stream }, order: [{ column: "offset" }] })).map((row) => row.offset);
