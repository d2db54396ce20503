import type { ErrorBody } from "@hearth/protocol";
import { writeJson } from "../store/json.ts";
import { plainEvent, plainRow, plainSet, type PlainColumns } from "../../fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import type { Change, Write } from "../store/store.ts";
import { append, insertActivation, insertStep, record } from "../store/conformance/rows.conformance.ts";
import type { Row, WritableTable } from "../store/tables/tables.ts";
import { ANNEX, HOUSE } from "./fixtures.conformance.ts";
import { hash, setUp } from "./open.conformance.ts";
import { auditedTables as tellings } from "./audited-tables.ts";

const MAIN = `agent_${"main".padEnd(26, "0")}`;
const AIDE = `agent_${"aide".padEnd(26, "0")}`;

const grant = (agent: string, house = HOUSE): Write => ({
  kind: "put",
  table: "grants",
  row: plainRow("grants", { agent, target: house, house, level: "w", by: MAIN, at: 5, rights: null }),
});
const activation = (id: string, columns: Partial<PlainColumns<"activations">> = {}): Write => {
  const write = insertActivation(id);
  if (write.kind !== "insert" || write.table !== "activations") throw new Error("made otherwise");
  return {
    ...write,
    row: plainRow("activations", { ...write.row, agent: MAIN, person: "ana", room: "room_1", ...columns }),
  };
};
const step = (columns: Partial<PlainColumns<"steps">> = {}): Write => {
  const write = insertStep(0);
  if (write.kind !== "insert" || write.table !== "steps") throw new Error("made otherwise");
  return { kind: "put", table: "steps", row: plainRow("steps", { ...write.row, activation: "act_1", ...columns }) };
};

describe("for its callers the audited store", () => {
  test("behaves like the plain store: results and offsets do not show the log", async () => {
    const { store, furnish } = await setUp();
    await furnish();
    const result = await store.commit({
      writes: [append("s", "e1"), grant(MAIN), append("s", "e2"), append("s", "e1")],
    });
    expect<unknown>(result).toEqual({
      kind: "committed",
      appended: [
        { kind: "appended", stream: "s", id: "e1", offset: 1 },
        { kind: "appended", stream: "s", id: "e2", offset: 2 },
        { kind: "duplicate", stream: "s", id: "e1", offset: 1 },
      ],
    });
  });

  test("records nothing for a commit that was refused", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    const before = await told();
    const results = await Promise.all([
      store.commit({ guards: [{ kind: "absent", table: "records", where: { id: HOUSE } }], writes: [grant(MAIN)] }),
      store.commit({ writes: [grant(MAIN), { kind: "insert", table: "records", row: record(MAIN) }] }),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(["refused", "conflict"]);
    expect(await told()).toEqual(before);
  });

  test("refuses commits that write or remove audit rows", async () => {
    const { store, audit, furnish } = await setUp();
    await furnish();
    const log = `audit:${HOUSE}`;
    const attempts: readonly Change["writes"][number][] = [
      append(log, "e1"),
      { kind: "delete", table: "events", where: { stream: log } },
    ];
    for (const write of attempts)
      expect(await store.commit({ writes: [grant(MAIN), write] }).catch((error: unknown) => String(error))).toContain(
        "only the audited store",
      );
    expect((await audit.verify(HOUSE)).findings).toEqual([]);
  });

  test("anchors a change that a power cut may lose only after a durable one follows", async () => {
    const { store, anchor, world, furnish } = await setUp();
    const anchored = async (): Promise<number | undefined> => {
      await world.advance(2000);
      return (await anchor.read()).heads.find(({ house }) => house === HOUSE)?.offset;
    };
    await furnish();
    const before = (await anchored()) ?? 0;
    await store.commit({ writes: [grant(MAIN)], isReproducible: true });
    expect(await anchored()).toBe(before);
    await store.commit({ writes: [grant(AIDE)] });
    expect(await anchored()).toBe(before + 2);
  });

  test("keeps rows in commit order, in one chain per house", async () => {
    const { store, audit, furnish, told } = await setUp();
    await furnish();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => store.commit({ writes: [grant(`${at}`), grant(`${at}`, ANNEX)] })),
    );
    for (const house of [HOUSE, ANNEX]) {
      expect((await audit.verify(house)).findings).toEqual([]);
      const agents = (await told(house))
        .filter(({ row }) => row === "grant")
        .map((facts) => Reflect.get(facts, "agent"));
      expect(agents).toEqual(Array.from({ length: 20 }, (_, at) => `${at}`));
    }
  });
});

describe("the audit log records", () => {
  test("a record: its columns, and its content by hash", async () => {
    const { furnish, told } = await setUp();
    await furnish();
    const [, agent] = await told();
    const content = JSON.stringify({ name: "main", kind: "bot" });
    expect(agent).toEqual({
      ...{ row: "record", change: "added", id: MAIN, type: "agent", house: HOUSE, handle: "main", version: 1 },
      ...{ content_sha256: hash(content), content_bytes: content.length },
    });
  });

  test("a call from beginning to end, with the agent and the person, and its input and output by hash", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    await store.commit({ writes: [activation("act_1")] });
    await store.commit({ writes: [step({ name: "write_file", effect: "plain" })] });
    const set = { state: "done", output: "é", ended_at: 9 } as const;
    await store.commit({ writes: [{ kind: "update", table: "steps", where: { activation: "act_1", step: 0 }, set }] });
    const who = { row: "step", agent: MAIN, person: "ana", activation: "act_1", step: 0 };
    expect((await told()).slice(2)).toEqual([
      {
        ...who,
        change: "written",
        kind: "tool",
        name: "write_file",
        effect: "plain",
        state: "started",
        input_hash: "h",
      },
      { ...who, change: "changed", state: "done", output_sha256: hash("é"), output_bytes: 2 },
    ]);
  });

  test("a refused call, with the stage that refused it", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    await store.commit({ writes: [activation("act_1"), step({ state: "done", refused_by: "quota" })] });
    expect((await told()).at(-1)).toMatchObject({ row: "step", state: "done", refused_by: "quota" });
  });

  test("an activation across a restart until it ends, in the house of its room", async () => {
    const { store, furnish, told, open } = await setUp();
    await furnish();
    const room: Write = { kind: "insert", table: "records", row: { ...record("room_9"), type: "room", house: ANNEX } };
    await store.commit({ writes: [room] });
    await store.commit({ writes: [activation("act_1", { agent: AIDE, room: "room_9" })] });
    const again = await open();
    await again.store.commit({ writes: [step()] });
    expect((await told(ANNEX)).at(-1)).toMatchObject({ row: "step", agent: AIDE, person: "ana" });
    const error = writeJson<ErrorBody>({ code: "provider.auth", message: "long" });
    const end = { state: "failed", error, ended_at: 5 } as const;
    await again.store.commit({ writes: [{ kind: "update", table: "activations", where: { id: "act_1" }, set: end }] });
    expect((await told(ANNEX)).at(-1)).toEqual({
      ...{ row: "activation", change: "changed", agent: AIDE, person: "ana" },
      ...{ id: "act_1", state: "failed", error: "provider.auth", room: "room_9", trigger: "direct", cause: "e" },
    });
  });

  test("the actor and the house, from the house's own stream in the same commit", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    const event = plainEvent({
      id: "e1",
      type: "hold-changed",
      at: 1,
      body: JSON.stringify({ by: AIDE }),
      blob: null,
      labels: null,
    });
    await store.commit({
      writes: [
        { kind: "delete", table: "holds", where: { scope: MAIN } },
        { kind: "append", stream: `house:${ANNEX}`, event },
      ],
    });
    expect((await told(ANNEX)).at(-1)).toEqual({ row: "stop", change: "removed", by: AIDE, scope: MAIN });
  });

  test("an update that names a row by its id alone, in the house of the room that the change appends to", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    await store.commit({
      writes: [{ kind: "insert", table: "records", row: { ...record("room_9"), type: "room", house: ANNEX } }],
    });
    await store.commit({
      writes: [
        {
          kind: "update",
          table: "approvals",
          where: { id: "a" },
          set: plainSet("approvals", { state: "allowed", by: AIDE }),
        },
        append("room:room_9", "e1"),
      ],
    });
    expect((await told(ANNEX)).at(-1)).toEqual({
      row: "approval",
      change: "changed",
      id: "a",
      state: "allowed",
      by: AIDE,
    });
  });

  test("a long text by its hash", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    const name = "x".repeat(201);
    await store.commit({ writes: [step({ name })] });
    expect((await told()).at(-1)).toMatchObject({ name: `sha256:${hash(name)}` });
  });

  test("characters beyond ASCII unchanged, as ASCII-only JSON", async () => {
    const { store, audit, furnish, told } = await setUp();
    await furnish();
    await store.commit({ writes: [step({ name: "é😀\u007f" })] });
    expect((await told()).at(-1)).toMatchObject({ name: "é😀\u007f" });
    expect((await audit.search(HOUSE, { limit: 1 })).rows[0]?.body).toMatch(/^[ -~]*$/);
  });

  test("nothing for unknown senders", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    const sender = plainRow("senders", {
      ...{ channel: "c", external: "s", name: "n", person: null, state: "pending", code_hash: "h" },
      ...{ code_expires_at: 1, created_at: 1 },
    });
    const before = await told();
    await store.commit({
      writes: [
        { kind: "delete", table: "senders", where: { channel: "c", external: "older" } },
        { kind: "put", table: "senders", row: sender },
      ],
    });
    expect(await told()).toEqual(before);
    await store.commit({
      writes: [
        { kind: "put", table: "senders", row: plainRow("senders", { ...sender, person: MAIN, state: "allowed" }) },
      ],
    });
    await store.commit({ writes: [{ kind: "delete", table: "senders", where: { channel: "c", external: "s" } }] });
    expect((await told()).slice(before.length)).toEqual([
      { row: "pairing", change: "written", channel: "c", external: "s", person: MAIN, state: "allowed" },
      { row: "pairing", change: "removed", channel: "c", external: "s" },
    ]);
  });

  test("that a person cleared labels of a workspace, and not how calls change them", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    await store.commit({ writes: [activation("act_1")] });
    const before = await told();
    const row = plainRow("files", { agent: MAIN, path: "a", labels: "{}", activation: "act_1", at: 1 });
    await store.commit({ writes: [step(), { kind: "put", table: "files", row }] });
    await store.commit({ writes: [step(), { kind: "delete", table: "files", where: { agent: MAIN, path: "a" } }] });
    await store.commit({ by: AIDE, writes: [{ kind: "delete", table: "files", where: { agent: MAIN, path: "b" } }] });
    expect((await told()).slice(before.length).filter(({ row }) => row === "label")).toEqual([
      { row: "label", change: "removed", by: AIDE, agent: MAIN, path: "b" },
    ]);
  });

  test.each([
    [{ state: "queued" }, false],
    [{ state: "running" }, false],
    [{ model: "near/m" }, false],
    [{ fence: 4, progress: 1 }, false],
    [{ state: "waiting" }, true],
    [{ state: "replied", model: "near/m" }, true],
    [{ state: "stopped" }, true],
    [{ state: "skipped", skip: "cooldown" }, true],
  ] as const)("of the change %j of an activation: %p", async (set, isRecorded) => {
    const { store, furnish, told } = await setUp();
    await furnish();
    await store.commit({ writes: [activation("act_1")] });
    const before = await told();
    const where = { id: "act_1" };
    await store.commit({
      writes: [{ kind: "update", table: "activations", where, set: plainSet("activations", set) }],
    });
    const rows = (await told()).slice(before.length);
    expect(rows.map(({ row, change }) => [row, change])).toEqual(isRecorded ? [["activation", "changed"]] : []);
    if (isRecorded) expect(rows[0]).toMatchObject(set);
  });

  test.each([
    ["queued", false],
    ["running", false],
    ["skipped", true],
    ["failed", true],
  ])("of an activation that begins as %s: %p", async (state, isRecorded) => {
    const { store, furnish, told } = await setUp();
    await furnish();
    const before = await told();
    await store.commit({ writes: [activation("act_1", { state })] });
    expect((await told()).slice(before.length).map(({ row, change }) => [row, change])).toEqual(
      isRecorded ? [["activation", "added"]] : [],
    );
  });

  test("that an old activation was erased with its steps, and no bookkeeping", async () => {
    const { store, furnish, told } = await setUp();
    await furnish();
    await store.commit({ writes: [activation("act_1", { ended_at: 3 }), step()] });
    const before = await told();
    await store.commit({
      writes: [
        { kind: "delete", table: "steps", where: { activation: "act_1" } },
        { kind: "delete", table: "activations", where: { id: "act_1" } },
        { kind: "put", table: "readers", row: { reader: "r", stream: "s", offset: 1 } },
        { kind: "update", table: "outbox", where: { id: "o" }, set: { not_before: 4 } },
        { kind: "update", table: "keys", where: { id: "k" }, set: {} },
      ],
    });
    expect((await told()).slice(before.length)).toEqual([{ row: "activation", change: "removed", id: "act_1" }]);
  });
});

/** Columns with secret content, which the log must not contain. */
const HUSHED: { readonly [Table in WritableTable]?: readonly (keyof Row<Table> & string)[] } = {
  keys: ["hash"],
  logins: ["hash", "about"],
  passwords: ["hash"],
  secrets: ["wrapped", "sealed"],
  vault_keys: ["about", "proof"],
  signing_keys: ["secret"],
  subscriptions: ["secret", "config"],
  senders: ["code_hash", "name"],
  outbox: ["body", "reply_to"],
  steps: ["output"],
  activations: ["frozen", "reason", "error"],
  records: ["content"],
  egress: ["path", "why"],
  approvals: ["input", "asks", "display", "bound", "reason", "code_hash"],
  approval_rules: ["bound", "text"],
};

test.each(Object.entries(HUSHED))("of %s never %p in plain text", (table, columns) => {
  const telling = tellings[table as WritableTable];
  expect(
    "not" in telling ? [] : telling.columns.filter((column) => (columns as readonly string[]).includes(column)),
  ).toEqual([]);
});
