import { afterAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { sharedNow } from "../clock.ts";
import { loopback } from "../loopback.ts";
import { createSite } from "../site.ts";
import { lastMark, markOf } from "./marks.ts";
import { type Model, startModel } from "./model.ts";
import { orderOf } from "./orders.ts";
import { REPLY, wireOf, wires } from "./wires.ts";

const site = createSite({ root: fileURLToPath(new URL("../../..", import.meta.url)), say: () => {} });
afterAll(() => site[Symbol.asyncDispose]());

const ask = (model: Model, wire: (typeof wires)[number], body: string): Promise<string> => {
  const path = wire === "openai" ? "/chat/completions" : "/v1/messages";
  return loopback(model.baseUrl(wire) + path, { method: "POST", body }).then((response) => response.text());
};

test("the last mark of a request belongs to its newest message", () => {
  expect(lastMark(`${markOf(7)} and ${markOf(8)}"}]`)).toBe("turn-00000008");
  expect(lastMark("none")).toBeUndefined();
});

test("the wire is recognized by the end of the path", () => {
  expect(wireOf("/v1/chat/completions")).toBe("openai");
  expect(wireOf("/v1/messages")).toBe("anthropic");
  expect(wireOf("/v1/models")).toBeUndefined();
});

for (const wire of wires) {
  test(`the instant model answers on the ${wire} wire and records a timestamp per mark, once, on the shared clock`, async () => {
    await using model = await startModel(site);
    const before = sharedNow();
    const answer = await ask(model, wire, `{"text":"${markOf(1)} ${markOf(2)}"}`);
    const after = sharedNow();
    expect(answer).toContain(JSON.stringify(REPLY));

    const stamps = await model.takeStamps();
    expect(Object.keys(stamps)).toEqual([markOf(2)]);
    const [arrivedMs, answeredMs] = stamps[markOf(2)]!;
    // The clocks of two processes agree to well under a tenth of a millisecond.
    expect(arrivedMs).toBeGreaterThan(before - 0.1);
    expect(answeredMs).toBeGreaterThanOrEqual(arrivedMs);
    expect(answeredMs).toBeLessThan(after + 0.1);
    expect(await model.takeStamps()).toEqual({});
  });

  test(`the instant model keeps the last request of the ${wire} wire unchanged`, async () => {
    await using model = await startModel(site);
    await expect(model.lastRequest()).rejects.toThrow("No request");
    await ask(model, wire, '{ "spaced":  true }');
    expect(await model.lastRequest()).toEqual({ wire, body: '{ "spaced":  true }' });
  });
}

test("the instant model ends when its stdin closes", async () => {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "--no-install", main], { stdin: "pipe", stdout: "pipe" });
  await child.stdout.getReader().read();
  await child.stdin.end();
  expect(await child.exited).toBe(0);
});

test("the instant model calls the shell for a command in a message once, then replies", async () => {
  await using model = await startModel(site);
  const order = { role: "user", content: `turn-00000001 ${orderOf("shell", { command: "echo 'a b' | cat\n" })}` };
  const call = await ask(model, "openai", JSON.stringify({ messages: [order] }));
  expect(call).toContain('"name":"shell"');
  expect(call).toContain(JSON.stringify(JSON.stringify({ command: "echo 'a b' | cat\n" })));
  const result = { role: "tool", content: "a b" };
  expect(await ask(model, "openai", JSON.stringify({ messages: [order, result] }))).toContain(JSON.stringify(REPLY));
});
