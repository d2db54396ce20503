/** One attempt at one row: `sending` on the disk, the send, and what came of it on the disk. */
import { erased, type Choice, type Store, type OutboxRow } from "../../kernel/index.ts";
import type { DeliveryId, ErrorBody, World } from "@hearth/protocol";
import type { Channel, Outbound, SendResult } from "../channel.ts";

/** How long a row is tried before it is given up. */
export const GIVE_UP_MS = 24 * 60 * 60_000;
const FIRST_WAIT_MS = 1000;
export const LONGEST_WAIT_MS = 5 * 60_000;

/** A message that is about to go out. */
export interface Send {
  readonly delivery: DeliveryId;
  readonly channel: string;
  readonly conversation: string;
  readonly text: string;
}

/**
 * The way out of the house: asks whether it may go, and calls `begin` as the last thing before it does. `text`: it goes, as this, for
 * not all of it may be said. `held`: not now, and whoever holds it says when.
 */
export type Pass = (
  send: Send,
  begin: () => Promise<void>,
) => Promise<"on" | { readonly text: string } | "held" | { readonly refused: ErrorBody }>;

export interface AttemptOptions {
  readonly world: Pick<World, "clock" | "random">;
  readonly store: Pick<Store, "commit" | "select">;
  readonly pass: Pass;
}

export interface Attempt {
  readonly row: OutboxRow;
  readonly channel: Channel;
  readonly signal: AbortSignal;
  /** Writes until it is written, or the house ends. */
  readonly keep: (write: () => Promise<unknown>) => Promise<void>;
}

/** Resolves with the result once it is kept; with nothing when the row was no longer there to be sent; `held` when it may not go now. */
export const attempt = async (
  { world, store, pass }: AttemptOptions,
  { row, channel, signal, keep }: Attempt,
): Promise<SendResult | "held" | undefined> => {
  const { clock } = world;
  const attempts = row.attempts + 1;
  let isBegun = false;
  const begin = async (): Promise<void> => {
    const begun = await store.commit({
      guards: [{ kind: "exists", table: "outbox", where: { id: row.id, state: "queued", attempts: row.attempts } }],
      writes: [{ kind: "update", table: "outbox", where: { id: row.id }, set: { state: "sending", attempts } }],
    });
    isBegun = begun.kind === "committed";
  };
  const { channel: name, conversation, body: text } = row;
  const verdict = await pass({ delivery: row.id as DeliveryId, channel: name, conversation, text }, begin);
  if (verdict === "held") return verdict;
  if (verdict !== "on" && "refused" in verdict) {
    const error = JSON.stringify(verdict.refused);
    const set = { state: "refused", error, ended_at: clock.now(), ...erased(row) };
    await keep(() => store.commit({ writes: [{ kind: "update", table: "outbox", where: { id: row.id }, set }] }));
    return { kind: "refused", error: verdict.refused };
  }
  if (!isBegun) return undefined;
  const said = { conversation, text: verdict === "on" ? text : verdict.text };
  const result =
    row.ends === null
      ? await channel.send({ ...said, ...moreOf(row) }, signal)
      : await endChoices(store, row.ends, (messageId) => channel.endChoices({ ...said, messageId }, signal));
  const set = describeEnd({ ...row, attempts }, result, channel, clock.now(), world.random(1)[0] ?? 0);
  // What came of an earlier attempt says nothing about the one that another daemon has begun since.
  await keep(() =>
    store.commit({
      guards: [{ kind: "exists", table: "outbox", where: { id: row.id, state: "sending", attempts } }],
      writes: [{ kind: "update", table: "outbox", where: { id: row.id }, set }],
    }),
  );
  return result;
};

const moreOf = ({ id, reply_to, choices }: OutboxRow): Pick<Outbound, "key" | "replyTo" | "choices"> => ({
  key: id,
  ...(reply_to === null ? {} : { replyTo: reply_to }),
  ...(choices === null ? {} : { choices: JSON.parse(choices) as readonly Choice[] }),
});

/** Its message went out before it, for it stood before it; of one that was lost on the way nobody knows which it is. */
const endChoices = async (
  store: Pick<Store, "select">,
  notice: string,
  end: (messageId: string) => Promise<SendResult>,
): Promise<SendResult> => {
  const [known] = await store.select({ table: "outbox", where: { id: notice } });
  const messageId = known?.external ?? undefined;
  return messageId === undefined ? { kind: "refused", error: nowhere } : end(messageId);
};

const nowhere: ErrorBody = {
  code: "channel.refused",
  message: "Nobody knows which message had these choices: the platform did not say that it had it.",
};

/** Whether doing it again is the same as having done it once. */
export const isRepeatable = ({ ends }: Pick<OutboxRow, "ends">, { takesKeys }: Channel["traits"]): boolean =>
  takesKeys || ends !== null;

const describeEnd = (
  row: OutboxRow,
  result: SendResult,
  { traits }: Channel,
  now: number,
  chance: number,
): Partial<OutboxRow> => {
  switch (result.kind) {
    case "sent":
      return { state: "sent", error: null, external: result.messageId, ended_at: now, ...erased(row) };
    case "refused":
      return { state: "refused", error: JSON.stringify(result.error), ended_at: now, ...erased(row) };
    case "unknown":
      // With a key it may be sent again: there will be one message.
      return isRepeatable(row, traits)
        ? later(row, result.error, now, waitOf(row.attempts, chance))
        : { state: "unknown", error: JSON.stringify(result.error) };
    case "later":
      return later(row, result.error, now, Math.max(result.retryAfterMs ?? 0, waitOf(row.attempts, chance)));
  }
};

const later = (row: OutboxRow, error: ErrorBody, now: number, waitMs: number): Partial<OutboxRow> => {
  if (now + waitMs - row.created_at <= GIVE_UP_MS) {
    return { state: "queued", not_before: now + waitMs, error: JSON.stringify(error) };
  }
  const given: ErrorBody = { ...error, message: `It could not be sent for a day. At last: ${error.message}` };
  return { state: "refused", error: JSON.stringify(given), ended_at: now, ...erased(row) };
};

/** Twice as long each time, up to a limit, and up to half of it less, so that conversations do not come back all at once. */
const waitOf = (attempts: number, chance: number): number => {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(longest * (1 - chance / 512));
};
