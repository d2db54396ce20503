/**
 * The platform's side of a channel's conformance suite: a fake on which people write and whose
 * calls can be made to fail.
 */
import type { ErrorBody } from "@hearth/protocol";
import type { FakeWorld } from "@hearth/protocol/world-fake";
import { expect } from "bun:test";
import type { Channel, InboundBatch, Outbound, OutboundFile, Webhook } from "./channel.ts";
import type { Fault, UpdateIds } from "./fake-platform.ts";

export type { Fault } from "./fake-platform.ts";

export interface ChannelHarness {
  /** Whether the channel has the trait `files`. */
  readonly sendsFiles: boolean;
  /**
   * A fresh platform with one account, a direct conversation, and a group in which a person has
   * written a message that was read.
   */
  open(): Promise<OpenChannel>;
}

export interface OpenChannel {
  readonly channel: Channel;
  readonly world: FakeWorld;
  readonly platform: PlatformSide;
  /** Strings that no result and no error may contain. */
  readonly secrets: readonly string[];
  /** The cursor of a reader that has read everything so far. */
  readonly cursor: string | undefined;
}

export interface Saying {
  readonly in: "direct" | "group";
  readonly text: string;
  /** Mentions the account before the text, in the platform's own way. */
  readonly mention?: boolean;
  readonly replyTo?: string;
  /** A file with these bytes. The text may be empty then. */
  readonly file?: Uint8Array<ArrayBuffer>;
}

export interface PlatformSide {
  readonly conversations: { readonly direct: string; readonly group: string };
  /** A person writes a message. */
  say(saying: Saying): UpdateIds;
  /** A person edits their last message there. */
  edit(where: "direct" | "group", text: string): UpdateIds;
  /** A person presses the choice with this word under a message that was sent there. */
  press(where: "direct" | "group", messageId: string, word: string): { readonly externalId: string };
  /** Answers that were shown to people who pressed. */
  shown(): readonly string[];
  /**
   * Causes updates that are not messages of a person: another bot, the account itself, members,
   * media without text, malformed fields. Returns the number of updates.
   */
  addOtherUpdates(): number;
  /** The update as the platform delivers it, signed. */
  webhook(externalId: string): Webhook;
  /** Any body, signed by the platform. */
  signed(body: Uint8Array): Webhook;
  /**
   * The same update without a valid signature: unsigned, or signed with wrong secrets of equal and
   * different length.
   */
  forged(externalId: string): readonly Webhook[];
  /** The number of updates that the platform would deliver again. */
  unread(): number;
  failNext(call: "poll" | "send" | "file" | "end" | "probe" | "fetch", fault: Fault): void;
  revoke(): void;
  block(where: "direct" | "group"): void;
  /** Returns the sent messages, oldest first. `text` is the text that a reader sees. */
  sent(): readonly SeenMessage[];
  typed(): readonly string[];
  /** The number of calls of any kind that reached the platform. */
  calls(): number;
}

export interface SeenMessage {
  readonly conversation: string;
  readonly text: string;
  readonly messageId: string;
  readonly replyTo?: string;
  /** The choices that a reader may press, in order, or the text that replaced them. */
  readonly choices: readonly string[];
  /** The file of a file message. The text is then its caption. */
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
}

export const never = new AbortController().signal;

/** Reads a channel batch by batch, as its follower does, and stops at any batch. */
export const createReader = (opened: OpenChannel, from = opened.cursor) => {
  const controller = new AbortController();
  const failures: ErrorBody[] = [];
  const batches = opened.channel.poll(from, controller.signal, (error) => failures.push(error))[Symbol.asyncIterator]();
  return {
    failures,
    /** Requests the next batch, which may take long. */
    ask: () => batches.next(),
    async next(): Promise<InboundBatch> {
      const { value, done } = await batches.next();
      if (done === true) throw new Error("The poll is over.");
      return value;
    },
    /** Reads until `count` updates came, or fails. */
    async take(count: number): Promise<InboundBatch> {
      const inbound: InboundBatch["inbound"][number][] = [];
      let cursor = "";
      while (inbound.length < count) {
        const batch = await this.next();
        inbound.push(...batch.inbound);
        ({ cursor } = batch);
      }
      return { inbound, cursor };
    },
    async stop(): Promise<void> {
      controller.abort();
      await batches.return?.();
    },
    abort: () => controller.abort(),
  };
};

/** Advances the clock in steps until the promise is settled. */
export const passTime = async <Value>(world: FakeWorld, promise: Promise<Value>, steps = 40): Promise<Value> => {
  let isSettled = false;
  const mark = (): void => {
    isSettled = true;
  };
  promise.then(mark, mark);
  for (let step = 0; step < steps && !isSettled; step += 1) {
    await finishPendingWork();
    if (!isSettled) await world.advance(5_000);
  }
  return promise;
};

/** Waits until all pending work has settled. */
export const finishPendingWork = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A file that no platform shows as a picture, sound or film. */
export const outboundFile = (conversation: string, key = "key-1"): OutboundFile => ({
  ...{ conversation, name: "Mai für Ada.csv", type: "text/csv", key },
  bytes: new TextEncoder().encode("a,b\r\n1,ü\r\n\0"),
});

export const outbound = (conversation: string, text: string, key = "key-1"): Outbound => ({ conversation, text, key });

export const expectNoSecret = (opened: OpenChannel, shown: unknown): void => {
  const text = JSON.stringify(shown) + (shown instanceof Error ? `${shown.message} ${shown.stack}` : "");
  for (const secret of opened.secrets) expect(text).not.toContain(secret);
};
