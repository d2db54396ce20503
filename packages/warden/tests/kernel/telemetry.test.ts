/** What observers receive of real turns: one trace, and no text, name or secret. */
import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createMemoryObserver } from "../../src/kernel/telemetry/memory-observer.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import { listsFirst } from "../../src/fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;

const CANARY = "canary-7f3a9c";

test("one turn is one trace across the warden, the cell and the model", async () => {
  using disk = createTestDisk();
  const observer = createMemoryObserver();
  await using house = await openTestHouse({ disk, observer, script: listsFirst({ text: "done" }) });
  await house.post("go");
  await house.until(2);
  await until(() => observer.spans.some(({ kind }) => kind === "turn"));
  const root = observer.spans.find(({ kind }) => kind === "turn");
  expect(observer.spans.map(({ kind }) => kind).toSorted()).toEqual(["cell", "model", "model", "tool", "turn"]);
  expect(new Set(observer.spans.map(({ trace }) => trace)).size).toBe(1);
  for (const { kind, parent } of observer.spans)
    expect([kind, parent]).toEqual([kind, kind === "turn" ? undefined : root?.id]);
  expect(root?.facts).toMatchObject({ outcome: "reply", trigger: "direct" });
  expect(observer.spans.find(({ kind }) => kind === "tool")?.facts).toEqual({ tool: "list", place: "cell" });
  expect(observer.spans.find(({ kind }) => kind === "model")?.facts).toMatchObject({
    provider: "scripted",
    model: "model",
  });
});

test("no text, name, secret or error message leaves through any observer", async () => {
  using disk = createTestDisk();
  const received: string[] = [];
  const collector = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received.push(`${request.url} ${await request.text()}`);
      return new Response("{}");
    },
  });
  try {
    const sections = `[observers]\nto = ["log", "prometheus", "otlp"]\notlp_endpoint = "${collector.url.origin}"\n`;
    let calls = 0;
    const texts: string[] = [];
    let lines: readonly string[] = [];
    {
      await using house = await openTestHouse({
        disk,
        sections,
        script: () => {
          calls += 1;
          if (calls === 1) return { toolCalls: [{ id: "1", name: CANARY, input: { path: CANARY } }] };
          if (calls === 2) return { toolCalls: [{ id: "2", name: "read", input: { path: `${CANARY}.txt` } }] };
          if (calls === 3) return { text: `answer ${CANARY}` };
          throw new Error(`the vendor says ${CANARY}`);
        },
      });
      const secrets = "/api/houses/home/secrets";
      await house.ask("POST", secrets, { name: "VENDOR", value: `secret-${CANARY}` });
      const { json: me } = await house.ask("GET", "/api/me");
      await house.ask("PATCH", `/api/agents/${me.agent.id}`, { content: { name: CANARY } });
      await house.post(`question ${CANARY}`);
      await house.until(2);
      await house.post(`again ${CANARY}`);
      await until(async () =>
        (await house.ask("GET", "/api/agents/main/activations")).json.every(
          ({ endedAt }: Json) => endedAt !== undefined,
        ),
      );
      const response = await house.warden.http.handle(
        new Request("http://127.0.0.1:1/metrics", {
          headers: { host: "127.0.0.1:1", authorization: "Bearer run-token-of-the-test" },
        }),
      );
      lines = house.logLines;
      texts.push(await response.text(), ...house.logLines.filter((line) => line.includes('"trace"')));
    }
    expect(lines.filter((line) => line.includes("could not"))).toEqual([]);
    expect(received.some((text) => text.includes("/v1/traces"))).toBe(true);
    expect(received.some((text) => text.includes("/v1/metrics"))).toBe(true);
    expect(texts.length).toBeGreaterThan(3);
    for (const text of [...received, ...texts]) expect(text).not.toContain(CANARY);
  } finally {
    await collector.stop(true);
  }
});
