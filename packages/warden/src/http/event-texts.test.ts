import { expect, test } from "bun:test";
import type { StoredEvent } from "@hearth/protocol";
import { SocketFrame } from "@hearth/protocol/api";
import { message, ROOM } from "../kernel/streams/streams.conformance.ts";
import { createEventTexts } from "./event-texts.ts";

/** An event that counts its serialisations. */
const counted = (number: number): { readonly event: StoredEvent; readonly count: () => number } => {
  const { id, event } = message(ROOM, number);
  let count = 0;
  const toJSON = (): object => {
    count += 1;
    return { ...event, id, offset: number };
  };
  const counting = { ...event, id, offset: number, toJSON };
  return { event: counting as StoredEvent, count: () => count };
};

test("an event is serialised once for any number of readers", () => {
  const texts = createEventTexts();
  const { event, count } = counted(1);
  const first = texts.textOf(event);
  expect(JSON.parse(first)).toMatchObject({ type: "message", offset: 1, body: { text: "1" } });
  for (let reader = 0; reader < 1000; reader += 1) expect(texts.textOf(event)).toBe(first);
  expect(count()).toBe(1);
});

test("the frames of a batch are built once for any number of sockets", () => {
  const texts = createEventTexts();
  const [one, two] = [counted(1), counted(2)];
  const batch = [one.event, two.event];
  const frames = texts.frames(ROOM, batch);
  for (let reader = 0; reader < 1000; reader += 1) expect(texts.frames(ROOM, batch)).toBe(frames);
  expect([one.count(), two.count()]).toEqual([1, 1]);
  expect(frames.map((frame) => SocketFrame.parse(JSON.parse(frame)))).toMatchObject([
    { type: "events", stream: ROOM, events: [{ offset: 1 }, { offset: 2 }], next: 2 },
  ]);
});

test("another batch of the same events has its own frames", () => {
  const texts = createEventTexts();
  const [one, two] = [counted(1), counted(2)];
  const next = (events: readonly StoredEvent[]) => texts.frames(ROOM, events).map((frame) => JSON.parse(frame).next);
  expect([next([one.event, two.event]), next([one.event]), next([two.event]), next([])]).toEqual([[2], [1], [2], []]);
  expect([one.count(), two.count()]).toEqual([1, 1]);
});

test("each event has its own text", () => {
  const texts = createEventTexts();
  const [one, two] = [counted(1), counted(2)];
  expect([texts.textOf(one.event), texts.textOf(two.event)].map((text) => JSON.parse(text).offset)).toEqual([1, 2]);
});
