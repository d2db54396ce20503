import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as shared from "@hearth/protocol";
import * as api from "@hearth/protocol/api";
import * as memoryFrames from "@hearth/protocol/memory-frames";
import { shapesPlugin } from "./build-plugins.ts";

const ID = "0".repeat(26);
const stored = { id: `evt_${ID}`, offset: 1 };
const agent = `agent_${ID}`;
const message = {
  type: "message",
  room: `room_${ID}`,
  author: agent,
  at: 1,
  body: { format: "markdown", text: "hi" },
  mentions: [agent],
  causes: [],
  ...stored,
};
const deleted = { type: "message-deleted", room: `room_${ID}`, by: agent, at: 1, message: stored.id, ...stored };

const auditRow = {
  stream: "audit",
  offset: 1,
  id: "x",
  type: "log",
  at: 1,
  body: "{}",
  labels: null,
  seal: null,
};

/** Schemas by name, with sample values. */
const samples: readonly (readonly [string, unknown])[] = [
  ["StoredRoomEvent", message],
  ["StoredRoomEvent", deleted],
  ["StoredRoomEvent", { ...deleted, type: "from-tomorrow" }],
  ["StoredRoomEvent", { ...message, body: "hi" }],
  ["StoredRoomEvent", { ...message, causes: undefined }],
  ["StoredRoomEvent", { ...message, offset: 1.5 }],
  ["EventPage", { events: [message, deleted], next: 1, head: 1 }],
  ["EventPage", { events: [message, 7], next: 1, head: 1 }],
  ["EventPage", { events: {}, next: 1, head: 1 }],
  ["HouseContent", { name: "home" }],
  ["RoomContent", { name: "den", kind: "cave" }],
  ["RoomContent", { name: "den" }],
  ["RoomContent", { name: "den", admission: { mode: "allow", allow: [] } }],
  ["RoomContent", { name: "den", admission: { mode: "pairing" } }],
  ["Me", { agent: 1 }],
  ["DeltaEvent", { type: "tool-start", at: 1, call: "a", name: "read", input: { path: ["x", null, 1] } }],
  ["DeltaEvent", { type: "end", at: 1, state: "asleep" }],
  ["SocketFrame", { type: "ended", stream: `room:room_${ID}` }],
  ["SocketFrame", { type: "answer", id: 1, result: null }],
  ["AuditRow", { ...auditRow, blob: null }],
  ["AuditRow", { ...auditRow, blob: 7 }],
  ["MemoryResponse", { id: 1, answer: { anything: [] } }],
  ["MemoryResponse", { id: "1", answer: null }],
  ["ModelList", ["a", 1]],
  ["ModelList", null],
];

interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown };
}
let folder = "";
const whole = { ...shared, ...api, ...memoryFrames } as unknown as Readonly<Record<string, Schema>>;
let small: Readonly<Record<string, Schema>> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-shapes-"));
  const built = await Bun.build({
    entrypoints: ["@hearth/protocol", "@hearth/protocol/api", "@hearth/protocol/memory-frames"].map((entry) =>
      fileURLToPath(import.meta.resolve(entry)),
    ),
    plugins: [shapesPlugin],
    outdir: folder,
  });
  const modules = await Promise.all(built.outputs.map(({ path }) => import(path)));
  small = Object.assign({}, ...modules);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(samples)("%s parses %j like zod", (name, value) => {
  const expected = whole[name]?.safeParse(value);
  const own = small[name]?.safeParse(value);
  expect(expected).toBeDefined();
  expect(own?.success).toBe(expected?.success);
  if (expected?.success === true) expect(own?.data).toEqual(expected.data);
});
