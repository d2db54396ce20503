/**
 * Implements the outbox with one sender per room. A sender retries the oldest message until the
 * house has it.
 */
import {
  fromErrorBody,
  HearthError,
  isHearthError,
  type RoomId,
  type StoredMessage,
  toErrorBody,
} from "@hearth/protocol";
import type { Outbox, OutboxOptions } from "../outbox.ts";
import type { PendingMessage } from "../room/room.ts";
import { isTransient } from "../transient.ts";
import { type Entry, createEntries } from "./entries.ts";
import { createListeners } from "../listeners.ts";
import { observe } from "../observe.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A message without an answer for this time is sent again. After a suspension, the answer may never arrive. */
const ANSWER_TIMEOUT_MS = 60_000;
/** How long the tab that wrote a message may take to send it. After that, this tab sends it. */
const TAKEOVER_DELAY_MS = 5_000;

export const createOutbox = ({ storage, post, files: shelf, clock, newKey }: OutboxOptions): Outbox => {
  const listeners = createListeners();
  const sentListeners = createListeners<[key: string, message: StoredMessage]>();
  const lifetime = new AbortController();
  /** Rooms with a running sender. */
  const senders = new Set<RoomId>();
  const keysInProgress = new Set<string>();
  /** The last snapshot of each entry, so that an unchanged entry stays the same object. */
  const snapshots = new WeakMap<Entry, PendingMessage>();
  let pauseAbort = new AbortController();

  const notify = (): void => {
    listeners.call();
  };
  const entries = createEntries(storage, () => {
    notify();
    observe(clock.sleep(TAKEOVER_DELAY_MS, lifetime.signal).then(sendAll));
  });

  const sendAll = (): void => {
    for (const room of entries.rooms()) observe(send(room));
  };

  const send = async (room: RoomId): Promise<void> => {
    if (senders.has(room)) return;
    senders.add(room);
    try {
      let pauseMs = FIRST_PAUSE_MS;
      while (!lifetime.signal.aborted) {
        const entry = entries.ofRoom(room).find(({ error }) => error === undefined);
        if (entry === undefined) return;
        const { signal } = pauseAbort;
        const failure = await sendOnce(entry);
        if (failure === undefined) pauseMs = FIRST_PAUSE_MS;
        else if (isRetryable(failure)) {
          await clock.sleep(pauseMs, signal);
          pauseMs = signal.aborted ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        }
      }
    } finally {
      senders.delete(room);
    }
  };

  /**
   * Sends an entry once. Marks a refused entry, and removes a confirmed one. Returns the error of a
   * transient failure.
   */
  const sendOnce = async (entry: Entry): Promise<HearthError | undefined> => {
    const { key } = entry;
    keysInProgress.add(key);
    notify();
    const answer = await deliver(entry).then(
      (message) => ({ message }),
      (error: unknown) => ({ failure: isHearthError(error) ? error : fromErrorBody(toErrorBody(error)) }),
    );
    if ("message" in answer) {
      // Calls the listeners while the entry still exists, with the state `sending`.
      sentListeners.call(key, answer.message);
      entries.drop(key);
      for (const file of entry.files) shelf.done(file.key);
    } else if (!lifetime.signal.aborted && !isRetryable(answer.failure) && entries.get(key) !== undefined) {
      // Not written if another tab has sent or discarded the entry.
      entries.put({ ...entry, error: toErrorBody(answer.failure) });
    }
    keysInProgress.delete(key);
    notify();
    return "failure" in answer ? answer.failure : undefined;
  };

  /** Uploads the files without a time limit, and then posts the message. */
  const deliver = async ({ key, room, text, files, replyTo }: Entry): Promise<StoredMessage> => {
    const attachments = files.length === 0 ? [] : await Promise.all(files.map((file) => shelf.upload(file.key)));
    if (lifetime.signal.aborted)
      throw new HearthError("house.unreachable", "The page was closed before the files were sent.");
    return withAnswerTimeout(
      post(room, {
        text,
        idempotencyKey: key,
        ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ id }) => id) }),
        ...(replyTo === undefined ? {} : { replyTo }),
      }),
    );
  };

  const withAnswerTimeout = async (answer: Promise<StoredMessage>): Promise<StoredMessage> => {
    const timeoutController = new AbortController();
    const timeout = clock.sleep(ANSWER_TIMEOUT_MS, timeoutController.signal).then(() => {
      throw new HearthError("house.unreachable", "The house did not answer in time.");
    });
    try {
      return await Promise.race([answer, timeout]);
    } finally {
      timeoutController.abort();
    }
  };

  const toPendingMessage = (entry: Entry): PendingMessage => {
    const { key, text, files, replyTo, at } = entry;
    const state = entry.error !== undefined ? "refused" : keysInProgress.has(key) ? "sending" : "waiting";
    const existing = snapshots.get(entry);
    if (existing?.state === state) return existing;
    const error = entry.error === undefined ? undefined : fromErrorBody(entry.error);
    const message: PendingMessage = { key, text, files, replyTo, at, state, error };
    snapshots.set(entry, message);
    return message;
  };

  const outbox: Outbox = {
    pending: (room) => entries.ofRoom(room).map(toPendingMessage),
    onChange: listeners.add,
    add(room, text, { replyTo, files = [] } = {}) {
      const key = newKey();
      entries.put({ key, room, order: entries.nextOrder(), text, files, replyTo, at: clock.now(), error: undefined });
      notify();
      observe(send(room));
      return key;
    },
    retry(key) {
      const entry = entries.get(key);
      if (entry?.error === undefined) return;
      entries.put({ ...entry, error: undefined });
      notify();
      observe(send(entry.room));
    },
    discard(key) {
      const entry = entries.get(key);
      if (entry === undefined || keysInProgress.has(key)) return;
      entries.drop(key);
      for (const file of entry.files) shelf.drop(file.key);
      notify();
    },
    retryNow() {
      pauseAbort.abort();
      pauseAbort = new AbortController();
    },
    onSent: sentListeners.add,
    [Symbol.dispose]() {
      lifetime.abort();
      pauseAbort.abort();
      entries[Symbol.dispose]();
      listeners.clear();
    },
  };
  sendAll();
  return outbox;
};

/**
 * Whether to send again after this error. Messages of a person who is logged out are sent after the
 * next login.
 */
const isRetryable = (error: HearthError): boolean =>
  isTransient(error) || error.code === "auth.missing" || error.code === "auth.invalid";
