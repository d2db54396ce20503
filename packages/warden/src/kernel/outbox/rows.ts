/** Converts deliveries between rows and API objects. */
import { readJson, writeJson } from "../store/json.ts";
import type { ActivationId, Delivery, DeliveryId, EventId, RoomId, UploadId, World } from "@hearth/protocol";
import type { Store, Write } from "../store/store.ts";
import type { Choice } from "./outbox.ts";
import type { Row } from "../store/tables/tables.ts";

/** Returns the id of an activation's reply, which is known before the reply is written. */
export const replyIdOf = (ids: Pick<World["ids"], "derive">, activation: ActivationId): EventId =>
  ids.derive("evt", activation, "0");

export type OutboxRow = Row<"outbox">;

/** Maximum number of pieces within one millisecond, which exceeds that of the longest reply. */
const MAX_PIECES = 1000;

export const newRow = (fields: {
  readonly id: DeliveryId;
  readonly channel: string;
  readonly conversation: string;
  readonly piece: number;
  readonly body: string;
  readonly room: RoomId | null;
  readonly event: EventId | null;
  readonly replyTo: string | null;
  readonly choices?: readonly Choice[] | undefined;
  readonly ends?: DeliveryId;
  readonly file?: UploadId;
  readonly isSpoken?: true;
  readonly now: number;
}): OutboxRow => ({
  id: fields.id,
  channel: fields.channel,
  conversation: fields.conversation,
  place: fields.now * MAX_PIECES + fields.piece,
  room: fields.room,
  event: fields.event,
  body: fields.body,
  reply_to: fields.replyTo,
  choices: fields.choices === undefined ? null : writeJson(fields.choices),
  ends: fields.ends ?? null,
  file: fields.file ?? null,
  spoken: fields.isSpoken === true ? 1 : 0,
  state: "queued",
  attempts: 0,
  not_before: 0,
  external: null,
  error: null,
  created_at: fields.now,
  ended_at: null,
});

export const toInsert = (row: OutboxRow): Write => ({ kind: "insert", table: "outbox", row });

/** Leaves out the rows that the outbox already has. */
export const withoutExisting = async (
  store: Pick<Store, "select">,
  rows: readonly OutboxRow[],
): Promise<readonly OutboxRow[]> => {
  if (rows.length === 0) return rows;
  const existingRows = await store.select({
    table: "outbox",
    and: [{ column: "id", is: "in", value: rows.map(({ id }) => id) }],
  });
  return rows.filter(({ id }) => !existingRows.some((row) => row.id === id));
};

/**
 * Returns the columns that erase the text of a finished delivery without an event, because the text
 * may contain a code.
 */
export const toErasedColumns = ({ event }: OutboxRow): Partial<OutboxRow> =>
  event === null ? { body: "", choices: null } : {};

export const toDelivery = (row: OutboxRow): Delivery => ({
  id: row.id,
  channel: row.channel,
  conversation: row.conversation,
  text: row.body,
  ...(row.spoken === 1 ? { spoken: true as const } : {}),
  state: row.state,
  attempts: row.attempts,
  createdAt: row.created_at,
  ...(row.room === null ? {} : { room: row.room }),
  ...(row.event === null ? {} : { event: row.event }),
  ...(row.state === "queued" && row.not_before > 0 ? { notBefore: row.not_before } : {}),
  ...(row.error === null ? {} : { error: readJson(row.error) }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
});
