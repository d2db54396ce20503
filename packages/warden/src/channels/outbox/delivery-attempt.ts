/** Makes one attempt to send a row: stores `sending`, sends, and stores the result. */
import { readJson, writeJson, toErasedColumns, type Store, type OutboxRow } from "../../kernel/index.ts";
import type { DeliveryId, ErrorBody, World } from "@hearth/protocol";
import type { Channel, Outbound, SendResult } from "../channel.ts";
import type { SpeechSource } from "./speech-delivery.ts";
import { deletedError, type FileSource, findFile, sendFile, fileTextOf } from "./file-delivery.ts";

/** Maximum time of all attempts to send a row. It then fails. */
export const GIVE_UP_MS = 24 * 60 * 60_000;
const FIRST_WAIT_MS = 1000;
export const LONGEST_WAIT_MS = 5 * 60_000;

/** A message that is about to be sent. */
export interface OutgoingDelivery {
  readonly delivery: DeliveryId;
  readonly channel: string;
  readonly conversation: string;
  /** The text. For a file, its name, with its caption in the following lines. */
  readonly text: string;
}

/**
 * The check before a send. It calls `begin` as the last step before the send. `text` replaces the
 * text, because a part of it must not leave the house. `held` means that the row may not be sent
 * now. The holder pokes the outbox later.
 */
export type PassDelivery = (
  send: OutgoingDelivery,
  begin: () => Promise<void>,
) => Promise<"allowed" | { readonly text: string } | "held" | { readonly refused: ErrorBody }>;

export interface AttemptOptions {
  readonly world: Pick<World, "clock" | "random">;
  readonly store: Pick<Store, "commit" | "select">;
  readonly pass: PassDelivery;
  readonly uploads: FileSource;
  readonly speeches: SpeechSource;
}

export interface Attempt {
  readonly row: OutboxRow;
  readonly channel: Channel;
  readonly signal: AbortSignal;
  /** Retries the write until it succeeds or the house ends. */
  readonly writeWithRetries: (write: () => Promise<unknown>) => Promise<void>;
}

/**
 * Makes one attempt. Resolves with the result once it is stored, with undefined if the row was no
 * longer waiting, and with `held` if it may not be sent now.
 */
export const attemptDelivery = async (
  { world, store, pass, uploads, speeches }: AttemptOptions,
  { row, channel, signal, writeWithRetries }: Attempt,
): Promise<SendResult | "held" | undefined> => {
  const { clock } = world;
  const attempts = row.attempts + 1;
  let isBegun = false;
  const begin = async (): Promise<void> => {
    const claim = await store.commit({
      guards: [{ kind: "exists", table: "outbox", where: { id: row.id, state: "queued", attempts: row.attempts } }],
      writes: [{ kind: "update", table: "outbox", where: { id: row.id }, set: { state: "sending", attempts } }],
    });
    isBegun = claim.kind === "committed";
  };
  const refuse = async (error: ErrorBody): Promise<SendResult> => {
    const set = { state: "refused", error: writeJson(error), ended_at: clock.now(), ...toErasedColumns(row) } as const;
    await writeWithRetries(() =>
      store.commit({ writes: [{ kind: "update", table: "outbox", where: { id: row.id }, set }] }),
    );
    return { kind: "refused", error };
  };
  const attachment = row.file === null ? undefined : await findFile(uploads, row);
  if (row.file !== null && attachment === undefined) return refuse(deletedError);
  // Few rows are spoken, so the module is loaded for the first one.
  const delivery = row.spoken === 1 ? await import("./speech-delivery.ts") : undefined;
  const speech = await delivery?.makeSpeech(speeches, row);
  if (speech === "aborted") return "held";
  if (speech !== undefined && "refused" in speech) return refuse(speech.refused);
  const { channel: name, conversation } = row;
  const text = attachment === undefined ? row.body : fileTextOf(attachment);
  const verdict = await pass({ delivery: row.id, channel: name, conversation, text }, begin);
  if (verdict === "held") return verdict;
  if (verdict !== "allowed" && "refused" in verdict) return refuse(verdict.refused);
  if (delivery !== undefined && verdict !== "allowed") return refuse(delivery.secretError);
  if (!isBegun) return undefined;
  const outgoing = { conversation, text: verdict === "allowed" ? text : verdict.text };
  const send = (): Promise<SendResult> => {
    if (attachment !== undefined) return sendFile(uploads, channel, { row, attachment, words: outgoing.text, signal });
    if (delivery !== undefined && speech !== undefined) return delivery.sendSpeech(channel, row, speech, signal);
    if (row.ends === null) return channel.send({ ...outgoing, ...sendFieldsOf(row) }, signal);
    return endChoices(store, row.ends, (messageId) => channel.endChoices({ ...outgoing, messageId }, signal));
  };
  const result = await send();
  const set = toOutcomeColumns({ ...row, attempts }, result, channel, clock.now(), world.random(1)[0] ?? 0);
  // The result of this attempt must not be stored for a later attempt that another daemon has
  // started.
  await writeWithRetries(() =>
    store.commit({
      guards: [{ kind: "exists", table: "outbox", where: { id: row.id, state: "sending", attempts } }],
      writes: [{ kind: "update", table: "outbox", where: { id: row.id }, set }],
    }),
  );
  return result;
};

const sendFieldsOf = ({ id, reply_to, choices }: OutboxRow): Pick<Outbound, "key" | "replyTo" | "choices"> => ({
  key: id,
  ...(reply_to === null ? {} : { replyTo: reply_to }),
  ...(choices === null ? {} : { choices: readJson(choices) }),
});

/**
 * Ends the choices of a notice. The notice was sent before, because its row is earlier. If its
 * outcome is unknown, its message id is unknown too.
 */
const endChoices = async (
  store: Pick<Store, "select">,
  notice: string,
  end: (messageId: string) => Promise<SendResult>,
): Promise<SendResult> => {
  const [noticeRow] = await store.select({ table: "outbox", where: { id: notice } });
  const messageId = noticeRow?.external ?? undefined;
  return messageId === undefined ? { kind: "refused", error: unknownMessageError } : end(messageId);
};

const unknownMessageError: ErrorBody = {
  code: "channel.refused",
  message: "It is unknown which message had these choices, because the platform did not confirm that message.",
};

/** Whether a repetition has the same effect as one send. */
export const isRepeatable = (
  { ends }: Pick<OutboxRow, "ends">,
  { takesKeys }: Pick<Channel["traits"], "takesKeys">,
): boolean => takesKeys || ends !== null;

const toOutcomeColumns = (
  row: OutboxRow,
  result: SendResult,
  { traits }: Channel,
  now: number,
  randomByte: number,
): Partial<OutboxRow> => {
  switch (result.kind) {
    case "sent":
      return { state: "sent", error: null, external: result.messageId, ended_at: now, ...toErasedColumns(row) };
    case "refused":
      return { state: "refused", error: writeJson(result.error), ended_at: now, ...toErasedColumns(row) };
    case "unknown":
      // With a key, the message may be sent again, because the platform keeps only one message per key.
      return isRepeatable(row, traits)
        ? toRetryColumns(row, result.error, now, waitOf(row.attempts, randomByte))
        : { state: "unknown", error: writeJson(result.error) };
    case "later":
      return toRetryColumns(
        row,
        result.error,
        now,
        Math.max(result.retryAfterMs ?? 0, waitOf(row.attempts, randomByte)),
      );
  }
};

const toRetryColumns = (row: OutboxRow, error: ErrorBody, now: number, waitMs: number): Partial<OutboxRow> => {
  if (now + waitMs - row.created_at <= GIVE_UP_MS) {
    return { state: "queued", not_before: now + waitMs, error: writeJson(error) };
  }
  const failure: ErrorBody = {
    ...error,
    message: `The message could not be sent for a day. Last error: ${error.message}`,
  };
  return { state: "refused", error: writeJson(failure), ended_at: now, ...toErasedColumns(row) };
};

/**
 * Returns the pause: an exponential backoff up to a limit, with up to half of it as jitter, so that
 * conversations do not retry all at once.
 */
const waitOf = (attempts: number, randomByte: number): number => {
  const longestMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(longestMs * (1 - randomByte / 512));
};
