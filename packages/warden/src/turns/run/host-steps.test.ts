import { plainRow } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import type { ActivationId, AgentId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createJournal } from "../../kernel/journal/journal.ts";
import { createLeases } from "../../kernel/journal/leases.ts";
import type { LeakScan } from "../../policy/text/leak-scan.ts";
import { noLeakScan } from "../../policy/fixtures/no-leak-scan.ts";
import type { Write } from "../../kernel/store/store.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createStorePicture } from "./turn-files.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import type { HostCall } from "../../agents/tools/call.ts";
import type { HostOutcome } from "../../agents/tools/tool.ts";
import { createHostSteps } from "./host-steps.ts";

const activation = "act_1" as ActivationId;
const agent = "agent_1" as AgentId;
const done = (more: Partial<HostOutcome> = {}): HostOutcome => ({ text: "ok", failed: false, ...more });
const mark = (scope: string): Write => ({
  kind: "insert",
  table: "holds",
  row: plainRow("holds", { scope, by: agent, at: 0 }),
});
const sameCommit = (writes: readonly Write[], guards: NonNullable<HostOutcome["sameCommit"]>["guards"] = []) => ({
  sameCommit: { guards, writes, events: [] },
});

/** A started call of a tool that the test defines. */
const setUp = async (
  tool: (look: number) => HostOutcome | Promise<HostOutcome>,
  leakScan: Pick<LeakScan, "redactResult"> = noLeakScan,
) => {
  const world = createBunWorld();
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(world.hash);
  const streams = createDurableStreams({ world, store, blobs });
  const journal = createJournal({ world, store, blobs });
  const lease = await createLeases({ world, store, holder: "a", house: "alone" }).acquire(agent);
  const start = { activation, step: 1, kind: "tool", name: "send_to_agent", effect: "keyed", input: "{}" } as const;
  const storePicture = createStorePicture({ blobs });
  await journal.startStep(lease, start);
  let looks = 0;
  const tools = {
    run: async () => {
      looks += 1;
      return tool(looks);
    },
  };
  const stopper = new AbortController();
  const call = { activation: { id: activation }, lease, step: 1, signal: stopper.signal } as unknown as HostCall;
  return {
    ...{ world, store, blobs, stopper },
    run: () => createHostSteps({ journal, streams, tools, leakScan, storePicture })("send_to_agent", {}, call),
    looks: () => looks,
    step: async () => (await journal.load(activation)).get(1),
    marks: async (): Promise<readonly string[]> => (await store.select({ table: "holds" })).map(({ scope }) => scope),
  };
};

test("the effect of a call and its completion are one commit", async () => {
  const { run, step, marks } = await setUp(() => done({ ...sameCommit([mark("x")]), toolCalls: 2 }));
  expect(await run()).toMatchObject({ text: "ok", failed: false });
  expect(await step()).toMatchObject({ state: "done" });
  expect(JSON.parse((await step())?.output ?? "")).toEqual({ v: 2, text: "ok", failed: false, toolCalls: 2 });
  expect(await marks()).toEqual(["x"]);
});

test("the result of a call is scanned for secrets before it is stored or returned", async () => {
  const { run, step } = await setUp(() => done({ text: "hush" }), {
    redactResult: (text) => text.replaceAll("hush", "[left out]"),
  });
  expect((await run()).text).toBe("[left out]");
  expect(JSON.parse((await step())?.output ?? "").text).toBe("[left out]");
});

test("a call that conflicts with another commit runs again, and nothing of its first run is stored", async () => {
  const absent = [{ kind: "absent", table: "leases", where: { name: `agent:${agent}` } }] as const;
  const { run, looks, step, marks } = await setUp((look) =>
    look === 1 ? done(sameCommit([mark("first")], absent)) : done({ ...sameCommit([mark("second")]), text: "second" }),
  );
  expect((await run()).text).toBe("second");
  expect([looks(), await marks()]).toEqual([2, ["second"]]);
  expect((await step())?.output).toContain("second");
});

test("a call that conflicts every time throws", async () => {
  const absent = [{ kind: "absent", table: "leases", where: { name: `agent:${agent}` } }] as const;
  const { run, step } = await setUp(() => done(sameCommit([], absent)));
  await expect(run()).rejects.toThrow("conflicted with another commit each time");
  expect(await step()).toMatchObject({ state: "started" });
});

test("nothing is stored of a call that was stopped meanwhile", async () => {
  const { run, stopper, step, marks } = await setUp(() => {
    stopper.abort();
    return done(sameCommit([mark("x")]));
  });
  await run();
  expect(await step()).toMatchObject({ state: "started" });
  expect(await marks()).toEqual([]);
});

test("under an old lease nothing is written, and the call throws", async () => {
  const { run, world, store, step, marks } = await setUp(() => done(sameCommit([mark("x")])));
  await createLeases({ world, store, holder: "b", house: "alone" }).acquire(agent);
  await expect(run()).rejects.toMatchObject({ code: "lease.lost" });
  expect(await step()).toMatchObject({ state: "started" });
  expect(await marks()).toEqual([]);
});

/** A GIF of one pixel. */
const GIF = "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";

test("a picture is a blob that the step names, and the result refers to it by its hash", async () => {
  const { run, step, store, blobs } = await setUp(() => done({ image: { type: "image/gif", data: GIF } }));
  const { parts = [] } = await run();
  expect(parts).toMatchObject([{ kind: "image", type: "image/gif", width: 1, height: 1, sizeBytes: 29 }]);
  const [named] = await store.select({ table: "step_files", where: { activation, step: 1 } });
  expect(parts).toMatchObject([{ hash: named?.blob ?? "none" }]);
  expect((await blobs.get(named?.blob ?? ""))?.toBase64()).toBe(GIF);
  expect(JSON.parse((await step())?.output ?? "").parts).toEqual(parts);
});

test("content that is not a picture is left out of a result", async () => {
  const { run, store } = await setUp(() => done({ image: { type: "image/png", data: btoa("<svg/>") } }));
  expect(await run()).not.toHaveProperty("parts");
  expect(await store.select({ table: "step_files" })).toEqual([]);
});

test("a call that was paid for runs once, and a commit that conflicts is repeated with its outcome", async () => {
  const absent = { kind: "absent", table: "holds", where: { scope: "x" } } as const;
  const { run, looks, step } = await setUp(() => done({ ...sameCommit([mark("x")], [absent]), runsOnce: true }));
  await run();
  expect(looks()).toBe(1);
  const refused = await setUp(() => done({ ...sameCommit([], [{ ...absent, kind: "exists" }]), runsOnce: true }));
  await expect(refused.run()).rejects.toThrow("conflicted with another commit");
  expect([refused.looks(), (await refused.step())?.state, (await step())?.state]).toEqual([1, "started", "done"]);
});
