/** What a channel's suite needs of the other side: a fake of its platform that people write on and that can be made to fail. */
import type { ErrorBody } from "@hearth/protocol";
import type { FakeWorld } from "@hearth/protocol/world-fake";
import { expect } from "bun:test";
import type { Channel, InboundBatch, Outbound, Webhook } from "./channel.ts";
import type { Fault, Said } from "./fake-platform.ts";

export type { Fault } from "./fake-platform.ts";

export interface ChannelHarness {
  /** A fresh platform with one account, a direct conversation and a group in which somebody has already written and been read. */
  open(): Promise<OpenChannel>;
}

export interface OpenChannel {
  readonly channel: Channel;
  readonly world: FakeWorld;
  readonly platform: PlatformSide;
  /** What no result and no error may show. */
  readonly secrets: readonly string[];
  /** Where a reader of that conversation stands who has read all before. */
  readonly cursor: string | undefined;
}

export interface Saying {
  readonly in: "direct" | "group";
  readonly text: string;
  /** The account by its name, before the text, as people of this platform do it. */
  readonly mention?: boolean;
  readonly replyTo?: string;
}

export interface PlatformSide {
  readonly conversations: { readonly direct: string; readonly group: string };
  /** A person writes. */
  say(saying: Saying): Said;
  /** A person changes what they wrote there last. */
  edit(where: "direct" | "group", text: string): Said;
  /** A person takes one of the choices of a message that was sent there, by its word. */
  press(where: "direct" | "group", messageId: string, word: string): { readonly externalId: string };
  /** What was shown to those who pressed. */
  shown(): readonly string[];
  /** Whatever is no message of a person: another bot, the account itself, members, media without words, fields gone wrong. How many updates. */
  stir(): number;
  /** The update as the platform delivers it, signed. */
  webhook(externalId: string): Webhook;
  /** Signed by the platform, whatever it says. */
  signed(body: Uint8Array): Webhook;
  /** The same update as nobody but the platform may deliver it: unsigned, signed with other secrets of equal and other lengths. */
  forged(externalId: string): readonly Webhook[];
  /** Updates that it would give again. */
  unread(): number;
  failNext(call: "poll" | "send" | "end" | "probe", fault: Fault): void;
  revoke(): void;
  block(where: "direct" | "group"): void;
  /** Oldest first; `text` is what a reader sees. */
  sent(): readonly SeenMessage[];
  typed(): readonly string[];
  /** Calls of any kind that reached it. */
  calls(): number;
}

export interface SeenMessage {
  readonly conversation: string;
  readonly text: string;
  readonly messageId: string;
  readonly replyTo?: string;
  /** What a reader may press, in order, or what is there in place of it. */
  readonly choices: readonly string[];
}

export const never = new AbortController().signal;

/** Reads a channel like its keeper does: batch by batch, stopping where it wants. */
export const createReader = (opened: OpenChannel, from = opened.cursor) => {
  const stopping = new AbortController();
  const failures: ErrorBody[] = [];
  const batches = opened.channel.poll(from, stopping.signal, (error) => failures.push(error))[Symbol.asyncIterator]();
  return {
    failures,
    /** Asks for the next batch, which may be long in coming. */
    ask: () => batches.next(),
    async next(): Promise<InboundBatch> {
      const { value, done } = await batches.next();
      if (done === true) throw new Error("The poll is over.");
      return value;
    },
    /** Reads until so many came, or fails. */
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
      stopping.abort();
      await batches.return?.();
    },
    abort: () => stopping.abort(),
  };
};

/** Lets time pass in steps, until the promise is settled. */
export const passTime = async <Value>(world: FakeWorld, promise: Promise<Value>, steps = 40): Promise<Value> => {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  for (let step = 0; step < steps && !settled; step += 1) {
    await rest();
    if (!settled) await world.advance(5_000);
  }
  return promise;
};

/** Lets everything that is under way come to rest. */
export const rest = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const outbound = (conversation: string, text: string, key = "key-1"): Outbound => ({ conversation, text, key });

export const expectNoSecret = (opened: OpenChannel, shown: unknown): void => {
  const text = JSON.stringify(shown) + (shown instanceof Error ? `${shown.message} ${shown.stack}` : "");
  for (const secret of opened.secrets) expect(text).not.toContain(secret);
};
