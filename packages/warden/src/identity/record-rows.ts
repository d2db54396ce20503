/** A record as a row of the store, and back. */
import type { HearthRecord, RecordType } from "@hearth/protocol";
import type { Row } from "../store/tables.ts";

/** The content was parsed for this very type. */
export const toTyped = (record: { readonly type: RecordType; readonly [field: string]: unknown }): HearthRecord =>
  record as unknown as HearthRecord;

export const toRecord = (row: Row<"records">): HearthRecord =>
  toTyped({
    type: row.type as RecordType,
    id: row.id,
    house: row.house,
    handle: row.handle,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    content: JSON.parse(row.content),
  });

export const toRow = (record: HearthRecord): Row<"records"> => ({
  id: record.id,
  type: record.type,
  house: record.house,
  handle: record.handle,
  version: record.version,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  content: JSON.stringify(record.content),
});
