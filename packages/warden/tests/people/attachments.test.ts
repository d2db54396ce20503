/** Attachments in an assembled house: the prompt names them, and they are durable. */
import { expect, test } from "bun:test";
import type { Upload } from "@hearth/protocol";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { callHouse, uploadTo } from "../../src/fixtures/uploads-of-house.ts";

const upload = (house: TestHouse, name: string, text: string): Promise<Upload> =>
  uploadTo(house, name, new TextEncoder().encode(text));

test("the model reads one line for each file, and a restarted house still has the file", async () => {
  using disk = createTestDisk();
  const before = await openTestHouse({ disk, script: [{ text: "a file" }, { text: "words" }] });
  const { id, attachment } = await upload(before, "list.txt", "milk\n");
  const posted = await before.ask("POST", "/api/rooms/main/messages", { text: "see", attachments: [id] });
  expect(posted.status).toBe(201);
  await before.until(2);
  await before.post("and now?");
  await before.until(4);
  const [first, second] = before.model.requests.map(({ messages }) => messages.map(({ text }) => text));
  const line = `see\n[file "list.txt": text/plain, 5 bytes; inbox/${attachment?.hash.slice(0, 16)}-list.txt]`;
  expect(first).toEqual([line]);
  expect(second).toEqual([line, "a file", "and now?"]);
  await before[Symbol.asyncDispose]();

  await using house = await openTestHouse({ disk, script: [] });
  expect(await (await callHouse(house, "GET", `/api/rooms/main/attachments/${id}`)).text()).toBe("milk\n");
});

test("the audit log records an upload, its message and its removal", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [{ text: "fine" }] });
  const { id, attachment } = await upload(house, "list.txt", "milk\n");
  const { json: message } = await house.ask("POST", "/api/rooms/main/messages", { text: "see", attachments: [id] });
  await house.until(2);
  await house.ask("DELETE", `/api/rooms/main/messages/${message.id}`);
  const { rows } = (await house.ask("GET", "/api/houses/home/audit?limit=1000")).json;
  const facts = rows
    .toReversed()
    .filter(({ type }: { type: string }) => type === "upload" || type === "attachment")
    .map(({ type, body }: { type: string; body: string }) => [type, JSON.parse(body)] as const);
  expect(facts.map(([type, { change, state }]: (typeof facts)[number]) => [type, change, state])).toEqual([
    ["upload", "added", "open"],
    ["upload", "changed", "complete"],
    ["upload", "changed", "named"],
    ["attachment", "added", undefined],
    ["attachment", "removed", undefined],
    ["upload", "changed", "complete"],
  ]);
  expect(facts[1]?.[1]).toMatchObject({ id, hash: attachment?.hash, final_size: 5, by: message.author });
  expect(JSON.stringify(facts)).not.toContain("list.txt");
});
