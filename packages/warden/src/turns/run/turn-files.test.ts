import { expect, test } from "bun:test";
import {
  type AgentId,
  type FilePart,
  type HouseId,
  type ModelMessage,
  type Part,
  RoomId,
  UploadId,
} from "@hearth/protocol";
import { createReadFile, createTurnFiles } from "./turn-files.ts";

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
  const files = createTurnFiles([before]);
  files.addResult([picture("1")]);
  files.addResult();
  files.addResult([picture("2")]);
  // Some models repeat the ids of calls.
  const messages = [before, result("c"), result("c", picture("9")), result("c", picture("9"))];
  expect(files.attach(messages)).toEqual([before, result("c", picture("1")), result("c"), result("c", picture("2"))]);
});

test("a file of a message has to be one that the turn was given", () => {
  const text: Part = { kind: "text", text: "words" };
  const files = createTurnFiles([user(picture("1"))]);
  const upload = UploadId.parse(`upl_${"0".repeat(26)}`);
  files.addMessages([user({ ...picture("2"), upload })]);
  const allowed = [user(text, picture("1")), user({ ...picture("2"), upload })];
  expect(files.attach(allowed)).toEqual(allowed);
  for (const part of [picture("2"), picture("3"), { ...picture("1"), upload }])
    expect(() => files.attach([user(part)])).toThrow("names a file that its turn was not given");
});

test("a file of a message is read through its room, and only with the hash that the message has", async () => {
  const room = RoomId.parse(`room_${"0".repeat(26)}`);
  const upload = UploadId.parse(`upl_${"0".repeat(26)}`);
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
        };
      },
    },
  });
  expect(await read(picture("1"))).toEqual(Uint8Array.of(7));
  expect(await read({ ...picture("2"), upload })).toEqual(Uint8Array.of(1, 2, 3, 4));
  expect(await read({ ...picture("1"), upload })).toBeUndefined();
  expect(asked).toEqual([`${room} ${upload}`, `${room} ${upload}`]);
});
