import { expect, test } from "bun:test";
import type { RoomSnapshot } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { fakeMain, fakeOwner } from "../../house/fake-ui.tsx";
import { announcementsOf } from "./announcements.ts";
import {
  createFakeEnded,
  createFakeLive,
  createFakeMessage,
  createFakePending,
  createFakeReply,
  createFakeSnapshot,
} from "../fake-room.ts";

const tell = (before: RoomSnapshot, after: RoomSnapshot): readonly string[] =>
  announcementsOf(before, after, fakeOwner.id, (agent) => (agent === fakeMain.id ? "Main" : "Ada"));
const asked = createFakeSnapshot({ messages: [createFakeMessage(1)] });

test("a reply is announced once, when it is complete", () => {
  const working = { ...asked, live: [createFakeLive({ parts: [{ kind: "text", text: "It is" }] })] };
  const done = { ...asked, messages: [createFakeMessage(1), createFakeReply(2, { text: "It is **noon**." })] };
  expect(tell(asked, working)).toEqual([]);
  expect(tell(working, done)).toEqual(["Main: It is noon."]);
  expect(tell(done, { ...done })).toEqual([]);
});

test("a long reply is announced by its first characters", () => {
  const done = { ...asked, messages: [createFakeMessage(1), createFakeReply(2, { text: "word ".repeat(10_000) })] };
  const [text] = tell(asked, done);
  expect(text).toStartWith("Main: word word");
  expect(text!.length).toBeLessThanOrEqual("Main: ".length + 200);
});

test("a reply of Markdown characters only is processed in linear time", () => {
  const done = { ...asked, messages: [createFakeMessage(1), createFakeReply(2, { text: "[".repeat(200_000) })] };
  expect(tell(asked, done)).toHaveLength(1);
});

test("own messages, deleted messages, older pages and an opening room are not announced", () => {
  expect(tell(asked, { ...asked, messages: [createFakeMessage(1), createFakeMessage(2)] })).toEqual([]);
  expect(tell(asked, { ...asked, messages: [createFakeMessage(1), createFakeReply(2, { isDeleted: true })] })).toEqual(
    [],
  );
  const later = createFakeSnapshot({ messages: [createFakeReply(5)] });
  expect(
    tell(later, { ...later, messages: [createFakeReply(4), createFakeReply(5)], ended: [createFakeEnded()] }),
  ).toEqual([]);
  expect(tell(createFakeSnapshot({ state: { kind: "loading" } }), later)).toEqual([]);
});

test("a failed run is announced, a stopped one is not", () => {
  const error = { code: "provider.auth" as const, message: "The key was refused." };
  expect(tell(asked, { ...asked, ended: [createFakeEnded({ error })] })).toEqual([
    "Main could not answer. The model provider does not accept the key.",
  ]);
  expect(tell(asked, { ...asked, ended: [createFakeEnded({ state: "stopped" })] })).toEqual([]);
});

test("a message that the house rejects is announced", () => {
  const waiting = { ...asked, pending: [createFakePending()] };
  const error = new HearthError("request.too-large", "The message is too long.");
  const refused = { ...asked, pending: [createFakePending({ state: "refused", error })] };
  expect(tell(asked, waiting)).toEqual([]);
  expect(tell(waiting, refused)).toEqual(["Your message was not sent. The message is too long."]);
  expect(tell(refused, { ...refused })).toEqual([]);
});

test("a run that starts to wait for approval is announced once", () => {
  const running = { ...asked, live: [createFakeLive()] };
  const waiting = { ...asked, live: [createFakeLive({ state: "waiting" })] };
  expect(tell(running, waiting)).toEqual(["Main waits for approval."]);
  expect(tell(waiting, { ...waiting, messages: [...asked.messages] })).toEqual([]);
  expect(tell(waiting, running)).toEqual([]);
});
