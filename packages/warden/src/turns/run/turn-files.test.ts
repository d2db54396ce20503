import { expect, test } from "bun:test";
import {
  type AgentId,
  type FilePart,
  HearthError,
  type HouseId,
  type ModelMessage,
  type Part,
  RoomId,
  UploadId,
} from "@hearth/protocol";
import { createAddCitation, createOpenFile, createReadFile, createTurnFiles } from "./turn-files.ts";

const room = RoomId.parse(`room_${"0".repeat(26)}`);
const upload = UploadId.parse(`upl_${"0".repeat(26)}`);
const hashOf = (digit: string): string => digit.repeat(64);
const picture = (digit: string): FilePart => ({
  ...{ kind: "image", type: "image/png", name: `${digit}.png`, sizeBytes: 4, hash: hashOf(digit) },
});
const user = (...parts: Part[]): ModelMessage => ({ role: "user", text: "see", parts });
const result = (call: string, ...parts: Part[]): ModelMessage => ({
  ...{ role: "tool", call, name: "image", text: call, failed: false },
  ...(parts.length === 0 ? {} : { parts }),
});

test("files of results are added in the order of the calls, and a cell's own are dropped", () => {
  const before = result("c", picture("0"));
  const files = createTurnFiles(room, [before]);
  files.addResult([picture("1")]);
  files.addResult();
  files.addResult([picture("2")]);
  // Some models repeat the ids of calls.
  const messages = [before, result("c"), result("c", picture("9")), result("c", picture("9"))];
  expect(files.attach(messages)).toEqual([before, result("c", picture("1")), result("c"), result("c", picture("2"))]);
});

test("a file of a message has to be one that the turn was given", () => {
  const text: Part = { kind: "text", text: "words" };
  const files = createTurnFiles(room, [user(picture("1"))]);
  files.addMessages([user({ ...picture("2"), upload })]);
  const allowed = [user(text, picture("1")), user({ ...picture("2"), upload })];
  expect(files.attach(allowed)).toEqual(allowed);
  for (const part of [picture("2"), picture("3"), { ...picture("1"), upload }])
    expect(() => files.attach([user(part)])).toThrow("names a file that its turn was not given");
});

test("a file of a message is read through its room, and only with the hash that the message has", async () => {
  const asked: string[] = [];
  const read = createReadFile({
    room,
    blobs: { get: async (hash) => (hash === hashOf("1") ? Uint8Array.of(7) : undefined) },
    uploads: {
      async open(where, id) {
        asked.push(`${where} ${id}`);
        const attachment = { id: upload, type: "image/png", name: "a", sizeBytes: 4, hash: hashOf("2") };
        return {
          attachment,
          owner: "agent_ana" as AgentId,
          house: "house_1" as HouseId,
          async *read() {
            yield Uint8Array.of(1, 2);
            yield Uint8Array.of(3, 4);
          },
          slice: async () => Uint8Array.of(1, 2, 3, 4),
        };
      },
    },
  });
  expect(await read(picture("1"))).toEqual(Uint8Array.of(7));
  expect(await read({ ...picture("2"), upload })).toEqual(Uint8Array.of(1, 2, 3, 4));
  expect(await read({ ...picture("1"), upload })).toBeUndefined();
  expect(asked).toEqual([`${room} ${upload}`, `${room} ${upload}`]);
});

test("a reply cites the files of the turn's messages and results, and no other file", () => {
  const other = RoomId.parse(`room_${"1".repeat(26)}`);
  const files = createTurnFiles(room, [user({ ...picture("1"), upload }), user(picture("4"))]);
  const link = (digit: string): string => `[a page](inbox/${digit.repeat(16)}#page-${digit})`;
  const reply = ["1", "2", "3", "4"].map(link).join(" ");
  const first = { address: `inbox/${"1".repeat(16)}#page-1`, room, file: upload, name: "1.png", place: "page-1" };
  expect(files.citationsIn(reply)).toEqual([first]);
  files.addResult(undefined, [{ room: other, file: upload, name: "b.pdf", hash: hashOf("2") }]);
  expect(files.citationsIn(reply)).toEqual([
    first,
    { address: `inbox/${"2".repeat(16)}#page-2`, room: other, file: upload, name: "b.pdf", place: "page-2" },
  ]);
});

test("a result that names a part of a message's file gets a note with its link", async () => {
  const asked: string[] = [];
  const attachment = { id: upload, type: "application/pdf", name: "b.pdf", sizeBytes: 4, hash: hashOf("a") };
  const add = createAddCitation({
    room,
    uploads: {
      async find(_room, path) {
        asked.push(path);
        return path.includes("gone") ? undefined : upload;
      },
      open: async () => ({ attachment }) as never,
    },
  });
  const read = (input: Readonly<Record<string, string>>, text: string, workspace: "reads" | "anything" = "reads") =>
    add({ tool: { workspace }, call: { input } }, { text, failed: false });
  const text = "[page 7]\nwords";
  expect(await read({ path: "./inbox/x-b.pdf" }, text)).toEqual({
    text: `${text}\n[cite a part with a link like [b.pdf, page 7](inbox/${"a".repeat(16)}#page-7)]`,
    cites: [{ room, file: upload, name: "b.pdf", hash: hashOf("a") }],
  });
  expect(await read({ path: "inbox/gone.pdf" }, text)).toEqual({ text });
  expect(await read({ path: "inbox/x-b.pdf" }, "no parts")).toEqual({ text: "no parts" });
  expect(await read({ path: "inbox/x-b.pdf" }, text, "anything")).toEqual({ text });
  for (const input of [{ path: "notes.md" }, {}]) expect(await read(input, text)).toEqual({ text });
  expect(asked).toEqual(["inbox/x-b.pdf", "inbox/gone.pdf"]);
});

test("a file for the cell is opened only while a message of the room names it, with its present content", async () => {
  const open = createOpenFile({
    room,
    uploads: {
      async open(_room, id) {
        if (id !== upload) throw new HearthError("attachment.not-found", "No message names it.");
        return {
          attachment: { id: upload, type: "image/png", name: "a", sizeBytes: 4, hash: hashOf("2") },
          owner: "agent_ana" as AgentId,
          house: "house_1" as HouseId,
          async *read(from, to) {
            yield Uint8Array.of(from, to ?? -1);
          },
          slice: async (from, to) => Uint8Array.of(from, to),
        };
      },
    },
  });
  const pieces = await open({ ...picture("2"), upload });
  expect(await Array.fromAsync(pieces ?? [])).toEqual([Uint8Array.of(0, 4)]);
  expect(await open({ ...picture("1"), upload })).toBeUndefined();
  expect(await open({ ...picture("2"), upload: UploadId.parse(`upl_${"1".repeat(26)}`) })).toBeUndefined();
  expect(await open(picture("2"))).toBeUndefined();
});
