/** A socket over a fake wire, and helpers that follow streams over it. */
import { type AnyEvent, type MessageEvent, type StoredEvent, StoredMessage, type StreamName } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeWire } from "./fake-wire.ts";
import type { StreamItem } from "./follow.ts";
import type { Schema } from "./request.ts";
import { createSocket } from "./socket/resuming-socket.ts";
import { StoredDelta } from "./stored.ts";

export const ID = "0".repeat(25);
export const ROOM = `room:room_${ID}1` as StreamName;
export const roomStream = (index: number): StreamName => `room:room_${String(index).padStart(26, "0")}` as StreamName;
export const DELTAS = `deltas:act_${ID}1` as StreamName;

export const messageEvent = (text: string): MessageEvent =>
  ({
    type: "message",
    room: `room_${ID}1`,
    author: `agent_${ID}1`,
    at: 1,
    mentions: [],
    causes: [],
    body: { format: "markdown", text },
  }) as never;
export const textDelta = (text: string): AnyEvent => ({ type: "text-delta", at: 1, text });

export const setUp = () => {
  const world = createFakeWorld({ hash: () => "" });
  const wire = createFakeWire(world);
  let seed = 7;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const socket = createSocket({ connect: wire.connect, clock: world.clock, random });
  const states: string[] = [];
  socket.onState(() => states.push(socket.state().kind));

  const follow = <Event extends StoredEvent>(
    stream: StreamName,
    options: { readonly after?: number; readonly schema?: Schema<Event> } = {},
  ) => {
    const controller = new AbortController();
    const items: StreamItem<Event>[] = [];
    const { after = 0, schema = StoredMessage as never } = options;
    const completion = (async () => {
      for await (const item of socket.follow<Event>(stream, schema, { after, signal: controller.signal }))
        items.push(item);
    })();
    return {
      items,
      over: completion,
      stop: () => controller.abort(),
      kinds: () => items.map((item) => item.kind),
      offsets: () => items.flatMap((item) => (item.kind === "event" ? [item.event.offset] : [])),
    };
  };
  const followDeltas = (after = 0) => {
    const following = follow(DELTAS, { after, schema: StoredDelta });
    /** Collects the text of a stream; a `restarted` item clears it. */
    const text = (): string => {
      let collectedText = "";
      for (const item of following.items) {
        if (item.kind === "restarted") collectedText = "";
        if (item.kind === "event" && item.event.type === "text-delta") collectedText += item.event.text;
      }
      return collectedText;
    };
    return { ...following, text };
  };
  const settle = (): Promise<void> => world.advance(0);
  return { world, wire, socket, states, follow, followDeltas, settle, random };
};

export const numbersUpTo = (count: number, from = 1): readonly number[] =>
  Array.from({ length: count - from + 1 }, (_, index) => from + index);
