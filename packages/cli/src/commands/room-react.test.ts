/** The requests and the output of `hearth room react` and `hearth room branch`. */
import { expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

const MESSAGE = `evt_${"1".padStart(26, "0")}`;
const changes = (): readonly string[] => own.house.requests.filter((request) => !request.startsWith("GET"));

test("room react adds an emoji and removes it", async () => {
  const den = own.house.addRoom({ name: "Den", kind: "group" });
  const path = `/api/rooms/${den.id}/messages/${MESSAGE}/reactions`;
  const reaction = {
    ...{ type: "message-reacted", id: `evt_${"2".padStart(26, "0")}`, offset: 3, room: den.id, at: 1 },
    ...{ message: MESSAGE, by: own.house.owner.id, emoji: "👍", isOn: true },
  };
  own.house.answer(`PUT ${path}`, reaction);
  expect(await hearth("room", "react", "den", MESSAGE, "👍")).toEqual({ code: 0, out: "added 👍\n", err: "" });
  expect(await hearth("room", "react", "den", MESSAGE, "👍", "--remove")).toMatchObject({ out: "removed 👍\n" });
  expect(changes()).toEqual([`PUT ${path} {"emoji":"👍","isOn":true}`, `PUT ${path} {"emoji":"👍","isOn":false}`]);
  expect(await json("room", "react", "den", MESSAGE, "👍")).toEqual(reaction);
});

test("room branch begins a chat, and prints the command that continues it", async () => {
  const chat = own.house.directRoom(own.house.main);
  const next = own.house.addRoom({ name: "Next", kind: "direct", members: [own.house.owner.id, own.house.main.id] });
  const route = `POST /api/rooms/${chat.id}/messages/${MESSAGE}/branch`;
  own.house.answer(route, next);
  const words = ["room", "branch", chat.handle, MESSAGE];
  expect(await hearth(...words)).toEqual({ code: 0, out: "Continue in next: hearth chat --room next\n", err: "" });
  expect(changes()).toEqual([route]);
  expect(await json(...words)).toEqual(next);
});

test.each([
  [["react", "den", "evt_1", "👍"], "MESSAGE is not the id of a message.", "List ids: hearth room events ROOM --json"],
  [["branch", "den", "evt_1"], "MESSAGE is not the id of a message.", "List ids: hearth room events ROOM --json"],
  [["react", "den", MESSAGE, "ok"], "EMOJI is not one emoji.", "Give one, for example 👍"],
  [["react", "den", MESSAGE, "👍👍"], "EMOJI is not one emoji.", "Give one, for example 👍"],
] as const)("room %j is refused without a request", async (words, message, hint) => {
  expect(await hearth("room", ...words)).toEqual({ code: 2, out: "", err: `hearth: ${message}\n  ${hint}\n` });
  expect(own.house.requests).toEqual([]);
});
