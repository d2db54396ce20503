/**
 * A chat platform in memory: people write, an account reads and answers, and any call can be made
 * to fail. It outlives its channels, so a house can stop and start while it keeps running. The same
 * calls in the same order always give the same ids.
 */
import { type Clock, untilAborted } from "@hearth/protocol";
import type {
  EndedChoices,
  InboundUpdate,
  InboundFile,
  Outbound,
  OutboundFile,
  PressAnswer,
  Webhook,
} from "./channel.ts";
import type { Choice } from "../kernel/outbox/outbox.ts";

export type Fault =
  /** The platform asks to wait `RETRY_AFTER_MS`. Nothing was done. */
  | "rate-limited"
  /** The platform reports an internal error. Nothing was done. */
  | "failing"
  /** The platform cannot be reached. Nothing was done. */
  | "unreachable"
  /** The connection is lost before the call takes effect. */
  | "lost-before"
  /** The call takes effect, and the connection is lost before the answer. */
  | "lost-after"
  /** The platform never answers. Nothing was done. */
  | "silent"
  /** The platform rejects the markup. Nothing was done. */
  | "markup";

export type FakeCall = "pull" | "push" | "file" | "end" | "hello" | "fetch";

/** How a call ended, seen from the channel. */
export type FakeAnswer<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "fault"; readonly fault: Exclude<Fault, "silent"> | "revoked" | "refused" | "conflict" };

export interface SentMessage {
  readonly conversation: string;
  readonly messageId: string;
  /** Markdown, unless it was sent as `plain`. For a file, its caption. */
  readonly text: string;
  readonly plain: boolean;
  readonly replyTo?: string;
  /** The choices of the message, or the text that replaced them. */
  readonly choices?: readonly Choice[] | string;
  readonly file?: Pick<OutboundFile, "name" | "type" | "bytes">;
  readonly key: string;
}

export interface UpdateIds {
  readonly externalId: string;
  readonly messageId: string;
}

export const RETRY_AFTER_MS = 7_000;
const BATCH_SIZE = 100;

/** Actions of people, and observations of tests. */
export interface FakePlatform {
  readonly takesKeys: boolean;
  /** The secret that signs this platform's webhooks. */
  readonly secret: string;
  /** Makes a conversation a group. `say` creates other conversations, which are direct. */
  group(conversation: string, name: string): void;
  say(
    conversation: string,
    sender: string,
    text: string,
    options?: {
      readonly isMention?: boolean;
      readonly replyTo?: string;
      readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
    },
  ): UpdateIds;
  edit(conversation: string, messageId: string, text: string): UpdateIds;
  /** A person presses a choice, or a program claims that they did. */
  press(conversation: string, sender: string, messageId: string, word: string): UpdateIds;
  /** Returns the answers that were shown to people who pressed, in order. */
  shownAnswers(): readonly string[];
  /** Causes an update that is not a message. */
  addOtherUpdates(): void;
  /** Delivers an update again, after all others. */
  redeliver(externalId: string): void;
  /** Reverses the order of unacknowledged updates. */
  reorder(): void;
  webhook(externalId: string): Webhook;
  failNext(call: FakeCall, fault: Fault, times?: number): void;
  /** Revokes the account's secret. */
  revoke(): void;
  /** Forbids the account to write in this conversation. */
  block(conversation: string): void;
  /** Returns the sent messages, oldest first. */
  sent(conversation?: string): readonly SentMessage[];
  /** Returns the conversations in which the account showed the typing indicator. */
  typed(): readonly string[];
  /** Returns the number of updates that the platform would deliver again. */
  unread(): number;
  /** Returns the number of calls of the account that reached the platform. */
  calls(): number;
}

/** The calls of the account. None of them throws. */
export interface FakeWire {
  pull(
    cursor: number,
    signal: AbortSignal,
  ): Promise<FakeAnswer<{ readonly inbound: readonly InboundUpdate[]; readonly cursor: number }>>;
  push(message: Outbound, plain: boolean, signal: AbortSignal): Promise<FakeAnswer<string>>;
  pushFile(file: OutboundFile, signal: AbortSignal): Promise<FakeAnswer<string>>;
  fetch(file: string, signal: AbortSignal): Promise<FakeAnswer<Uint8Array>>;
  type(conversation: string): void;
  end(ended: EndedChoices, signal: AbortSignal): Promise<FakeAnswer<string>>;
  answer(answer: PressAnswer): void;
  hello(signal: AbortSignal): Promise<FakeAnswer<string>>;
  setWebhook(url: string | undefined, signal: AbortSignal): Promise<FakeAnswer<string>>;
}

interface FakeUpdate {
  readonly externalId: string;
  readonly inbound?: InboundUpdate;
}

export const createFakePlatform = (options: {
  readonly clock: Pick<Clock, "now">;
  readonly takesKeys: boolean;
}): FakePlatform & { readonly wire: FakeWire } => {
  const { clock, takesKeys } = options;
  const secret = "the-platform-says-so";
  const groups = new Map<string, string>();
  const messages = new Map<string, InboundUpdate>();
  const updates = new Map<string, FakeUpdate>();
  /** The updates in the order of delivery. A cursor is an index into this list. */
  const queue: FakeUpdate[] = [];
  const sentMessages: SentMessage[] = [];
  const typedConversations: string[] = [];
  const shownAnswers: string[] = [];
  const blockedConversations = new Set<string>();
  const faults: Record<FakeCall, Fault[]> = { pull: [], push: [], file: [], end: [], hello: [], fetch: [] };
  const files = new Map<string, Uint8Array>();
  const waiters = new Set<() => void>();
  let acknowledgedCount = 0;
  let idCount = 0;
  let callCount = 0;
  let isRevoked = false;
  let webhookUrl: string | undefined;

  const nextId = (): string => String((idCount += 1));
  const deliver = (update: FakeUpdate): void => {
    updates.set(update.externalId, update);
    queue.push(update);
    for (const wake of waiters) wake();
  };
  const addInbound = (inbound: InboundUpdate): UpdateIds => {
    messages.set(`${inbound.conversation.id} ${inbound.messageId}`, inbound);
    deliver({ externalId: inbound.externalId, inbound });
    return { externalId: inbound.externalId, messageId: inbound.messageId };
  };
  const storeFile = ({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): InboundFile => {
    const id = `f${nextId()}`;
    files.set(id, bytes);
    return { id, name, summary: "file", sizeBytes: bytes.length };
  };
  const find = (externalId: string): FakeUpdate => {
    const update = updates.get(externalId);
    if (update === undefined) throw new Error(`This platform has no update ${externalId}.`);
    return update;
  };

  /** Runs one call, with its pending fault before or after the work. */
  const call = async <Value>(
    name: keyof typeof faults,
    signal: AbortSignal,
    work: () => FakeAnswer<Value> | Promise<FakeAnswer<Value>>,
  ): Promise<FakeAnswer<Value>> => {
    const fault = faults[name].shift();
    if (fault === "unreachable") return { kind: "fault", fault };
    callCount += 1;
    if (isRevoked) return { kind: "fault", fault: "revoked" };
    if (fault === "silent") {
      await untilAborted(signal);
      return { kind: "fault", fault: "lost-before" };
    }
    if (fault !== undefined && fault !== "lost-after") return { kind: "fault", fault };
    const answer = await work();
    return fault === "lost-after" ? { kind: "fault", fault } : answer;
  };

  /** Whether the account may not write there. */
  const isClosed = (conversation: string): boolean => {
    const isKnown = messages.values().some((inbound) => inbound.conversation.id === conversation);
    return !(isKnown || groups.has(conversation)) || blockedConversations.has(conversation);
  };
  /** Adds a message, or finds the one with the same key. Returns its id. */
  const add = (message: Omit<SentMessage, "messageId">): string => {
    const earlierMessage = takesKeys ? sentMessages.find((other) => other.key === message.key) : undefined;
    if (earlierMessage !== undefined) return earlierMessage.messageId;
    const messageId = `m${nextId()}`;
    sentMessages.push({ ...message, messageId });
    return messageId;
  };

  /** Replaces the choices of a message. Returns whether the message exists. */
  const end = ({ conversation, messageId, text }: EndedChoices): boolean => {
    const index = sentMessages.findIndex(
      (message) => message.messageId === messageId && message.conversation === conversation,
    );
    const message = sentMessages[index];
    if (message !== undefined) sentMessages[index] = { ...message, choices: text };
    return message !== undefined;
  };

  const wire: FakeWire = {
    pull: (cursor, signal) =>
      call("pull", signal, async () => {
        if (webhookUrl !== undefined) return { kind: "fault", fault: "conflict" };
        acknowledgedCount = Math.max(acknowledgedCount, Math.min(cursor, queue.length));
        while (queue.length <= cursor && !signal.aborted) await untilUpdate(waiters, signal);
        const batch = queue.slice(cursor, cursor + BATCH_SIZE);
        const inbound = batch.flatMap((update) => update.inbound ?? []);
        return { kind: "ok", value: { inbound, cursor: cursor + batch.length } };
      }),
    push: (message, plain, signal) =>
      call("push", signal, () => {
        const { conversation, text, replyTo, choices, key } = message;
        if (isClosed(conversation) || text.trim() === "") return { kind: "fault", fault: "refused" };
        const optionalFields = {
          ...(replyTo === undefined ? {} : { replyTo }),
          ...(choices === undefined ? {} : { choices }),
        };
        return { kind: "ok", value: add({ conversation, text, plain, ...optionalFields, key }) };
      }),
    pushFile: ({ conversation, name, type, bytes, caption: text = "", replyTo, key }, signal) =>
      call("file", signal, () => {
        if (isClosed(conversation)) return { kind: "fault", fault: "refused" };
        const fields = { file: { name, type, bytes }, ...(replyTo === undefined ? {} : { replyTo }) };
        return { kind: "ok", value: add({ conversation, text, plain: true, ...fields, key }) };
      }),
    fetch: (file, signal) =>
      call("fetch", signal, () => {
        const bytes = files.get(file);
        return bytes === undefined ? { kind: "fault", fault: "refused" } : { kind: "ok", value: bytes };
      }),
    type(conversation) {
      typedConversations.push(conversation);
    },
    end: (ended, signal) =>
      call("end", signal, () =>
        end(ended) ? { kind: "ok", value: ended.messageId } : { kind: "fault", fault: "refused" },
      ),
    answer({ isOver, ...message }) {
      shownAnswers.push(message.text);
      if (isOver) end(message);
    },
    hello: (signal) => call("hello", signal, () => ({ kind: "ok", value: "@fake" })),
    setWebhook: (url, signal) =>
      call("hello", signal, () => {
        webhookUrl = url;
        return { kind: "ok", value: url ?? "" };
      }),
  };

  return {
    takesKeys,
    secret,
    wire,
    group: (conversation, name) => void groups.set(conversation, name),
    say(conversation, sender, text, { isMention = false, replyTo, files: attached } = {}) {
      const name = groups.get(conversation);
      return addInbound({
        externalId: `u${nextId()}`,
        kind: "message",
        conversation: { id: conversation, kind: name === undefined ? "direct" : "group", name: name ?? sender },
        sender: { id: sender, name: sender },
        messageId: `m${nextId()}`,
        ...(replyTo === undefined ? {} : { replyTo }),
        at: clock.now(),
        text,
        ...(attached === undefined ? {} : { files: attached.map(storeFile) }),
        isMention: name === undefined || isMention || sentMessages.some((ours) => ours.messageId === replyTo),
      });
    },
    edit(conversation, messageId, text) {
      const message = messages.get(`${conversation} ${messageId}`);
      if (message === undefined) throw new Error(`There is no message ${messageId} in ${conversation}.`);
      return addInbound({ ...message, externalId: `u${nextId()}`, kind: "edit", at: clock.now(), text });
    },
    press(conversation, sender, messageId, word) {
      const name = groups.get(conversation);
      const id = `u${nextId()}`;
      return addInbound({
        externalId: id,
        kind: "press",
        press: `p${id}`,
        messageId,
        at: clock.now(),
        text: word,
        isMention: true,
        conversation: { id: conversation, kind: name === undefined ? "direct" : "group", name: name ?? sender },
        sender: { id: sender, name: sender },
      });
    },
    shownAnswers: () => [...shownAnswers],
    addOtherUpdates: () => deliver({ externalId: `u${nextId()}` }),
    redeliver: (externalId) => deliver(find(externalId)),
    reorder() {
      queue.splice(acknowledgedCount, Infinity, ...queue.slice(acknowledgedCount).toReversed());
    },
    webhook: (externalId) => ({
      headers: new Headers({ "x-fake-secret": secret }),
      body: new TextEncoder().encode(JSON.stringify(find(externalId))),
    }),
    failNext(name, fault, times = 1) {
      for (let index = 0; index < times; index += 1) faults[name].push(fault);
    },
    revoke() {
      isRevoked = true;
    },
    block: (conversation) => void blockedConversations.add(conversation),
    sent: (conversation) =>
      sentMessages.filter((message) => conversation === undefined || message.conversation === conversation),
    typed: () => [...typedConversations],
    unread: () => queue.length - acknowledgedCount,
    calls: () => callCount,
  };
};

/** Resolves when there is an update or the signal aborts. */
const untilUpdate = async (waiters: Set<() => void>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiters.add(resolve);
  await Promise.race([promise, untilAborted(signal)]);
  waiters.delete(resolve);
};
