/**
 * Appends to byte streams. The content, the producer's state and the end of the stream are one
 * commit.
 */
import { createNamedQueues } from "@hearth/protocol/serial-queue";
import { HearthError, type World, type ByteStreamId } from "@hearth/protocol";
import type { Guard, Store, Write } from "../../store/store.ts";
import type { DurableStreams } from "../streams.ts";
import {
  type Address,
  type Content,
  essenceOf,
  MAX_PRODUCERS,
  type Producer,
  type WriteResult,
} from "./byte-streams.ts";
import { toChunks } from "./chunks.ts";
import { checkProducer } from "./producers.ts";
import { type ByteStreamRow, nameOf, renewal, type StreamRows, toInfo } from "./stream-rows.ts";

export const createWriting = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly streamRows: StreamRows;
  /** Returns the row at an address. An expired stream is removed first. */
  readonly current: (address: Address) => Promise<ByteStreamRow | undefined>;
}): ((address: Address, content: Content) => Promise<WriteResult>) => {
  const { world, store, streams, streamRows, current } = options;
  const enqueue = createNamedQueues();

  const attempt = async (address: Address, content: Content): Promise<WriteResult | "again"> => {
    const { bytes, contentType, seq, producer, closes } = content;
    const now = world.clock.now();
    const row = await current(address);
    if (row === undefined) return { kind: "absent" };
    if (row.state === "gone") return { kind: "gone" };
    if (bytes.length === 0 && !closes) throw emptyAppendError("The append has no body, so there is nothing to append.");
    const lastProducer = producer === undefined ? undefined : await findProducer(row.id, producer);
    const verdict = producer === undefined ? ({ kind: "new" } as const) : checkProducer(lastProducer, producer);

    const toRepeatedAppend = async (isNew: boolean, acceptedSeq?: number): Promise<WriteResult> => ({
      kind: "appended",
      info: await streamRows.info(row),
      isNew,
      ...(producer === undefined ? {} : { producer: { ...producer, seq: acceptedSeq ?? producer.seq } }),
    });
    if (row.state === "closed" && verdict.kind !== "duplicate" && verdict.kind !== "fenced") {
      const isRepeatedClose = closes && bytes.length === 0 && producer === undefined;
      return isRepeatedClose ? toRepeatedAppend(false) : { kind: "closed", info: await streamRows.info(row) };
    }
    if (bytes.length > 0 && essenceOf(contentType ?? "") !== essenceOf(row.content_type))
      return { kind: "type-differs" };
    if (verdict.kind === "duplicate") return toRepeatedAppend(false, verdict.seq);
    if (verdict.kind !== "new") return verdict;
    if (seq !== undefined && row.last_seq !== null && seq <= row.last_seq) return { kind: "seq-behind" };
    if (producer !== undefined && lastProducer === undefined && (await hasMaxProducers(row.id)))
      return { kind: "too-many-producers" };

    const chunks = toChunks(row.content_type, bytes, now);
    if (bytes.length > 0 && chunks.length === 0)
      throw emptyAppendError("The append has an empty array, so there is nothing to append.");
    const changes = {
      ...renewal(row, now),
      ...(seq === undefined ? {} : { last_seq: seq }),
      ...(closes ? { state: "closed" } : {}),
    };
    const result = await streams.commit({
      guards: [
        {
          kind: "exists",
          table: "byte_streams",
          where: { id: row.id, state: "open", ...(seq === undefined ? {} : { last_seq: row.last_seq }) },
        },
        ...(producer === undefined ? [] : [toUnchangedProducerGuard(row.id, producer.id, lastProducer)]),
      ],
      writes: [
        ...(Object.keys(changes).length === 0
          ? []
          : [{ kind: "update", table: "byte_streams", where: { id: row.id }, set: changes } as const]),
        ...(producer === undefined ? [] : [toProducerWrite(row.id, producer)]),
      ],
      events: chunks.map((event) => ({ stream: nameOf(row.id), id: world.ids.fresh("evt"), event })),
      ends: closes ? [nameOf(row.id)] : [],
    });
    if (result.kind !== "committed") return "again";
    const offset = result.appended.at(-1)?.offset;
    return {
      kind: "appended",
      info: toInfo({ ...row, ...changes }, offset === undefined ? await streamRows.tail(row) : row.base + offset),
      isNew: true,
      ...(producer === undefined ? {} : { producer }),
    };
  };

  const findProducer = async (stream: string, { id }: Producer) =>
    (await store.select({ table: "byte_producers", where: { stream, producer: id } }))[0];

  const hasMaxProducers = async (stream: string): Promise<boolean> =>
    (await store.select({ table: "byte_producers", where: { stream }, limit: MAX_PRODUCERS })).length >= MAX_PRODUCERS;

  return (address, content) => {
    const write = async (): Promise<WriteResult> => {
      for (;;) {
        const result = await attempt(address, content);
        if (result !== "again") return result;
      }
    };
    // An append that depends on earlier ones waits for them here, and is not refused.
    const isOrdered = content.producer !== undefined || content.seq !== undefined;
    return isOrdered ? enqueue(`${address.house}/${address.path}`, write) : write();
  };
};

const emptyAppendError = (subject: string): HearthError =>
  new HearthError("request.invalid", subject, { hint: "To close the stream, send Stream-Closed: true." });

const toUnchangedProducerGuard = (
  stream: ByteStreamId,
  producer: string,
  lastProducer: { epoch: number; seq: number } | undefined,
): Guard =>
  lastProducer === undefined
    ? { kind: "absent", table: "byte_producers", where: { stream, producer } }
    : {
        kind: "exists",
        table: "byte_producers",
        where: { stream, producer, epoch: lastProducer.epoch, seq: lastProducer.seq },
      };

const toProducerWrite = (stream: ByteStreamId, { id, epoch, seq }: Producer): Write => ({
  kind: "put",
  table: "byte_producers",
  row: { stream, producer: id, epoch, seq },
});
