/**
 * A chat platform in memory: people write, an account reads and answers, and any call can be made to fail. It outlives the channels
 * that speak to it, so a house can stop and start beside it. The same calls in the same order always give the same ids.
 */
import type { Clock } from "@hearth/protocol";
import type { EndedChoices, Inbound, Outbound, PressAnswer, Webhook } from "./channel.ts";
import type { Choice } from "../kernel/outbox/outbox.ts";

export type Fault =
  /** It asks to wait `RETRY_AFTER_MS`. Nothing was done. */
  | "rate-limited"
  /** It says that it has a problem. Nothing was done. */
  | "failing"
  /** Nobody is there. Nothing was done. */
  | "unreachable"
  /** The connection is lost before it did anything. */
  | "lost-before"
  /** It did what was asked, and the connection is lost before it says so. */
  | "lost-after"
  /** It says nothing, ever. Nothing was done. */
  | "silent"
  /** It does not take the markup. Nothing was done. */
  | "markup";

/** How a call ended, seen from outside. */
export type FakeAnswer<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "fault"; readonly fault: Exclude<Fault, "silent"> | "revoked" | "refused" | "conflict" };

export interface SentMessage {
  readonly conversation: string;
  readonly messageId: string;
  /** Markdown, unless it was sent as `plain`. */
  readonly text: string;
  readonly plain: boolean;
  readonly replyTo?: string;
  /** What its reader may choose; when that is over, what it says in place of it. */
  readonly choices?: readonly Choice[] | string;
  readonly key: string;
}

export interface Said {
  readonly externalId: string;
  readonly messageId: string;
}

export const RETRY_AFTER_MS = 7_000;
const BATCH_SIZE = 100;

/** What a person does, and what a test sees. */
export interface FakePlatform {
  readonly takesKeys: boolean;
  /** What makes webhooks this platform's own. */
  readonly secret: string;
  /** Makes a conversation a group. Others come to be by `say`, and are direct. */
  group(conversation: string, name: string): void;
  say(
    conversation: string,
    sender: string,
    text: string,
    options?: { readonly isMention?: boolean; readonly replyTo?: string },
  ): Said;
  edit(conversation: string, messageId: string, text: string): Said;
  /** Somebody presses, or says that they did. */
  press(conversation: string, sender: string, messageId: string, word: string): Said;
  /** What was said to whoever pressed, in order. */
  told(): readonly string[];
  /** Something happens that is no message. */
  stir(): void;
  /** Gives an update once more, after all others. */
  redeliver(externalId: string): void;
  /** Turns round the order of what was not yet acknowledged. */
  reorder(): void;
  webhook(externalId: string): Webhook;
  failNext(call: "pull" | "push" | "end" | "hello", fault: Fault, times?: number): void;
  /** From now on the account's secret is worth nothing. */
  revoke(): void;
  /** From now on nobody may write there. */
  block(conversation: string): void;
  /** Oldest first. */
  sent(conversation?: string): readonly SentMessage[];
  /** Conversations in which the account was seen typing. */
  typed(): readonly string[];
  /** Updates that it would give again. */
  unread(): number;
  /** Calls of the account that reached it. */
  calls(): number;
}

/** What the account calls. None of it throws. */
export interface FakeWire {
  pull(
    cursor: number,
    signal: AbortSignal,
  ): Promise<FakeAnswer<{ readonly inbound: readonly Inbound[]; readonly cursor: number }>>;
  push(message: Outbound, plain: boolean, signal: AbortSignal): Promise<FakeAnswer<string>>;
  type(conversation: string): void;
  end(ended: EndedChoices, signal: AbortSignal): Promise<FakeAnswer<string>>;
  answer(answer: PressAnswer): void;
  hello(signal: AbortSignal): Promise<FakeAnswer<string>>;
  setWebhook(url: string | undefined, signal: AbortSignal): Promise<FakeAnswer<string>>;
}

interface FakeUpdate {
  readonly externalId: string;
  readonly inbound?: Inbound;
}

export const createFakePlatform = (options: {
  readonly clock: Pick<Clock, "now">;
  readonly takesKeys: boolean;
}): FakePlatform & { readonly wire: FakeWire } => {
  const { clock, takesKeys } = options;
  const secret = "the-platform-says-so";
  const groups = new Map<string, string>();
  const messages = new Map<string, Inbound>();
  const updates = new Map<string, FakeUpdate>();
  /** In the order of delivery; a cursor is a place in it. */
  const queue: FakeUpdate[] = [];
  const sent: SentMessage[] = [];
  const typed: string[] = [];
  const told: string[] = [];
  const blocked = new Set<string>();
  const faults: Record<"pull" | "push" | "end" | "hello", Fault[]> = { pull: [], push: [], end: [], hello: [] };
  const waiting = new Set<() => void>();
  let acknowledged = 0;
  let count = 0;
  let calls = 0;
  let revoked = false;
  let hook: string | undefined;

  const next = (): string => String((count += 1));
  const deliver = (update: FakeUpdate): void => {
    updates.set(update.externalId, update);
    queue.push(update);
    for (const wake of waiting) wake();
  };
  const tell = (inbound: Inbound): Said => {
    messages.set(`${inbound.conversation.id} ${inbound.messageId}`, inbound);
    deliver({ externalId: inbound.externalId, inbound });
    return { externalId: inbound.externalId, messageId: inbound.messageId };
  };
  const find = (externalId: string): FakeUpdate => {
    const update = updates.get(externalId);
    if (update === undefined) throw new Error(`This platform has no update ${externalId}.`);
    return update;
  };

  /** One call: its fault, if one is due, before or after the work. */
  const call = async <Value>(
    name: keyof typeof faults,
    signal: AbortSignal,
    work: () => FakeAnswer<Value> | Promise<FakeAnswer<Value>>,
  ): Promise<FakeAnswer<Value>> => {
    const fault = faults[name].shift();
    if (fault === "unreachable") return { kind: "fault", fault };
    calls += 1;
    if (revoked) return { kind: "fault", fault: "revoked" };
    if (fault === "silent") {
      await aborted(signal);
      return { kind: "fault", fault: "lost-before" };
    }
    if (fault !== undefined && fault !== "lost-after") return { kind: "fault", fault };
    const answer = await work();
    return fault === "lost-after" ? { kind: "fault", fault } : answer;
  };

  /** Whether there is such a message. */
  const end = ({ conversation, messageId, text }: EndedChoices): boolean => {
    const place = sent.findIndex((one) => one.messageId === messageId && one.conversation === conversation);
    const message = sent[place];
    if (message !== undefined) sent[place] = { ...message, choices: text };
    return message !== undefined;
  };

  const wire: FakeWire = {
    pull: (cursor, signal) =>
      call("pull", signal, async () => {
        if (hook !== undefined) return { kind: "fault", fault: "conflict" };
        acknowledged = Math.max(acknowledged, Math.min(cursor, queue.length));
        while (queue.length <= cursor && !signal.aborted) await news(waiting, signal);
        const given = queue.slice(cursor, cursor + BATCH_SIZE);
        const inbound = given.flatMap((update) => update.inbound ?? []);
        return { kind: "ok", value: { inbound, cursor: cursor + given.length } };
      }),
    push: (message, plain, signal) =>
      call("push", signal, () => {
        const { conversation, text, replyTo, choices, key } = message;
        const isKnown = messages.values().some((inbound) => inbound.conversation.id === conversation);
        if (!(isKnown || groups.has(conversation)) || blocked.has(conversation) || text.trim() === "") {
          return { kind: "fault", fault: "refused" };
        }
        const earlier = takesKeys ? sent.find((other) => other.key === key) : undefined;
        if (earlier !== undefined) return { kind: "ok", value: earlier.messageId };
        const messageId = `m${next()}`;
        const more = { ...(replyTo === undefined ? {} : { replyTo }), ...(choices === undefined ? {} : { choices }) };
        sent.push({ conversation, messageId, text, plain, ...more, key });
        return { kind: "ok", value: messageId };
      }),
    type(conversation) {
      typed.push(conversation);
    },
    end: (ended, signal) =>
      call("end", signal, () =>
        end(ended) ? { kind: "ok", value: ended.messageId } : { kind: "fault", fault: "refused" },
      ),
    answer({ isOver, ...message }) {
      told.push(message.text);
      if (isOver) end(message);
    },
    hello: (signal) => call("hello", signal, () => ({ kind: "ok", value: "@fake" })),
    setWebhook: (url, signal) =>
      call("hello", signal, () => {
        hook = url;
        return { kind: "ok", value: url ?? "" };
      }),
  };

  return {
    takesKeys,
    secret,
    wire,
    group: (conversation, name) => void groups.set(conversation, name),
    say(conversation, sender, text, { isMention = false, replyTo } = {}) {
      const name = groups.get(conversation);
      return tell({
        externalId: `u${next()}`,
        kind: "message",
        conversation: { id: conversation, kind: name === undefined ? "direct" : "group", name: name ?? sender },
        sender: { id: sender, name: sender },
        messageId: `m${next()}`,
        ...(replyTo === undefined ? {} : { replyTo }),
        at: clock.now(),
        text,
        isMention: name === undefined || isMention || sent.some((ours) => ours.messageId === replyTo),
      });
    },
    edit(conversation, messageId, text) {
      const message = messages.get(`${conversation} ${messageId}`);
      if (message === undefined) throw new Error(`Nobody wrote ${messageId} in ${conversation}.`);
      return tell({ ...message, externalId: `u${next()}`, kind: "edit", at: clock.now(), text });
    },
    press(conversation, sender, messageId, word) {
      const name = groups.get(conversation);
      const id = `u${next()}`;
      return tell({
        ...{ externalId: id, kind: "press", press: `p${id}`, messageId, at: clock.now(), text: word, isMention: true },
        conversation: { id: conversation, kind: name === undefined ? "direct" : "group", name: name ?? sender },
        sender: { id: sender, name: sender },
      });
    },
    told: () => [...told],
    stir: () => deliver({ externalId: `u${next()}` }),
    redeliver: (externalId) => deliver(find(externalId)),
    reorder() {
      queue.splice(acknowledged, Infinity, ...queue.slice(acknowledged).toReversed());
    },
    webhook: (externalId) => ({
      headers: new Headers({ "x-fake-secret": secret }),
      body: new TextEncoder().encode(JSON.stringify(find(externalId))),
    }),
    failNext(name, fault, times = 1) {
      for (let index = 0; index < times; index += 1) faults[name].push(fault);
    },
    revoke() {
      revoked = true;
    },
    block: (conversation) => void blocked.add(conversation),
    sent: (conversation) => sent.filter((one) => conversation === undefined || one.conversation === conversation),
    typed: () => [...typed],
    unread: () => queue.length - acknowledged,
    calls: () => calls,
  };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Until something happens, or the signal aborts. */
const news = async (waiting: Set<() => void>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  await Promise.race([promise, aborted(signal)]);
  waiting.delete(resolve);
};
