import { expect, test } from "bun:test";
import type { StoredEvent } from "@hearth/protocol";
import { titleOf, toRoomLines } from "./room-lines.ts";

const said = (more: object): StoredEvent =>
  ({ type: "message", id: "evt_1", offset: 1, author: "agent_1", at: 1, body: { text: "hi" }, ...more }) as never;
const titles = (...events: readonly StoredEvent[]): readonly string[] =>
  toRoomLines(events).map((line) => titleOf(line, "Main"));

test("a message's title is its author and whether it was edited or stopped", () => {
  const edit = { type: "message-edited", id: "evt_2", offset: 2, message: "evt_1", by: "agent_1", at: 2 };
  const edited = { ...edit, body: { text: "ho" } } as never;
  expect(titles(said({}))).toEqual(["Main"]);
  expect(titles(said({ stopped: true }))).toEqual(["Main (stopped)"]);
  expect(titles(said({ stopped: true }), edited)).toEqual(["Main (edited, stopped)"]);
});

test("a job's message is titled with the job, not its owner", () => {
  expect(titles(said({ job: { name: "morning", context: "room" } }))).toEqual(["Scheduled job morning"]);
});

test("a citation is shown as its words", () => {
  const body = { text: "See [b.pdf, page 2](inbox/0123456789abcdef#page-2)." };
  expect(toRoomLines([said({ body })])).toMatchObject([{ text: "See [b.pdf, page 2]." }]);
});

test("a reply is titled with the author to whom it replies, if that message is shown too", () => {
  const reply = said({ id: "evt_2", offset: 2, replyTo: "evt_1", author: "agent_2" });
  const lines = toRoomLines([said({}), reply]);
  expect(lines.map(({ replyTo }) => replyTo as string | undefined)).toEqual([undefined, "agent_1"]);
  expect(toRoomLines([reply])[0]).not.toHaveProperty("replyTo");
  expect(lines.map((line) => titleOf(line, "Ada", line.replyTo === undefined ? undefined : "Main"))).toEqual([
    "Ada",
    "Ada (reply to Main)",
  ]);
});
