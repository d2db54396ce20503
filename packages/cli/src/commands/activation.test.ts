import { describe, expect, test } from "bun:test";
import { noUsage } from "@hearth/protocol";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

describe("activations", () => {
  test("are listed over all bots, newest first", async () => {
    const other = own.house.addAgent({ name: "Other", kind: "bot" });
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    const cause = own.house.postMessage(den, own.house.owner, "hi");
    own.house
      .wake(cause, own.house.main)
      .end("failed", { error: { code: "provider.auth", message: "No key.", hint: "Add one." } });
    own.house.wake(cause, other).reply("yes");
    const { out } = await hearth("activation", "list");
    expect(out.split("\n")[1]).toMatch(/^act_\S+ {2}main {3}direct {3}failed .* No key\.$/);
    expect(out.split("\n")[2]).toMatch(/^act_\S+ {2}other {2}direct {3}replied /);
    expect(await json("activation", "list", "other")).toHaveLength(1);
  });

  test("that wait show the reason, and merged ones show the activation that includes them", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    const host = own.house.wake(own.house.postMessage(den, own.house.owner, "one"), own.house.main);
    own.house
      .wake(own.house.postMessage(den, own.house.owner, "two"), own.house.main)
      .end("skipped", { mergedInto: host.id });
    own.house.wake(own.house.postMessage(den, own.house.owner, "three"), own.house.main).end("waiting");
    const { out } = await hearth("activation", "list");
    expect(out).toMatch(new RegExp(`skipped .* answered by ${host.id}$`, "m"));
    expect(out).toMatch(/waiting .* Waiting for a person's decision\.$/m);
  });

  /**
   * A turn that read a file, included messages that arrived meanwhile, and answered all of them.
   */
  const describeTurn = () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    const [one, two] = [
      own.house.postMessage(den, own.house.owner, "one"),
      own.house.postMessage(den, own.house.owner, "two"),
    ];
    const host = own.house.wake(one, own.house.main);
    const merged = own.house.wake(two, own.house.main);
    merged.end("skipped", { mergedInto: host.id });
    const usage = { ...noUsage, inputTokens: 200, cacheReadTokens: 1000, outputTokens: 50 };
    const step = { activation: host.id, effect: "pure", state: "done", startedAt: 5000, endedAt: 5012 };
    const { id } = host;
    own.house.answer(`GET /api/activations/${id}`, {
      ...{
        id,
        agent: own.house.main.id,
        room: den.id,
        trigger: "mention",
        cause: one.id,
        state: "replied",
        usage,
        depth: 0,
      },
      createdAt: 1000,
      startedAt: 2000,
      endedAt: 6100,
      model: "a/b",
      message: { author: own.house.owner.id, at: 1, text: "look \u001b[2J into it" },
      steps: [
        { ...step, step: 0, kind: "model", name: "a/b", usage, glimpse: "asks for read" },
        { ...step, step: 1, kind: "tool", name: "read", glimpse: "no such file", failed: true },
        { ...step, step: 2, kind: "tool", name: "shell", effect: "plain", state: "unknown" },
        { ...step, step: 3, kind: "intake", name: "main", glimpse: "two", messages: [two.id] },
      ],
      parts: [
        { kind: "text", text: "Let me see." },
        { kind: "tool", call: "a", name: "read", input: { path: "x" }, state: "failed" },
        { kind: "tool", call: "b", name: "shell", input: { command: "date" }, state: "unknown" },
      ],
    });
    return { host, merged, one, two };
  };

  test("are explained: cause, time, steps, answered messages and cost", async () => {
    const { host, merged } = describeTurn();
    const { out } = await hearth("activation", "show", host.id);
    for (const line of [
      /^woken by {2}a mention by Owner: look \\e\[2J into it$/,
      /^room {6}Den$/,
      /^started {3}\S+ \S+, after 1\.0 s$/,
      /^ended {5}\S+ \S+, after 4\.1 s$/,
      /^state {5}replied$/,
      new RegExp(`^answers {3}2 messages, also that of ${merged.id}$`),
      /^tokens {4}1200 in \(1000 cached\), 50 out$/,
      /^0 +model +a\/b +pure +done +12 ms +1200 in \(1000 cached\), 50 out +asks for read$/,
      /^1 +tool +read +pure +done +12 ms +{"path":"x"} → failed: no such file$/,
      /^2 +tool +shell +plain +unknown +12 ms +{"command":"date"} → outcome unknown$/,
      /^3 +intake +main +pure +done +12 ms +took in 1 message: two$/,
    ])
      expect(out.split("\n").some((text) => line.test(text)) || out).toBe(true);
  });

  test("are explained in JSON with all details and the messages that they answer", async () => {
    const { host, merged, one, two } = describeTurn();
    expect(await json("activation", "show", host.id)).toMatchObject({
      id: host.id,
      state: "replied",
      merged: [merged.id],
      answers: [one.id, two.id],
      message: { author: own.house.owner.id },
      steps: { length: 4 },
      parts: { length: 3 },
    });
    expect(await json("activation", "show", merged.id)).toMatchObject({ mergedInto: host.id, answers: [] });
  });

  test("are explained although message and room are deleted, and when stopped", async () => {
    const den = own.house.addRoom({ name: "Den", kind: "group" });
    const { id } = own.house.wake(own.house.postMessage(den, own.house.owner, "hi"), own.house.main);
    await hearth("room", "remove", "den");
    const { out } = await hearth("activation", "show", id);
    expect(out).toContain("woken by  a direct message (the message was deleted)\n");
    expect(out).toContain(`room      ${den.id} (removed)\n`);
    const where = { host: "allowed.example", port: 443, method: "GET", path: "/a", at: 1000 };
    const line = {
      id: `egr_${"0".repeat(26)}`,
      agent: own.house.main.id,
      activation: id,
      ...where,
      sentBytes: 120,
      receivedBytes: 4096,
    };
    own.house.answer(`GET /api/activations/${id}/egress`, [
      { ...line, outcome: "allowed", status: 200, secrets: ["github"] },
      { ...line, outcome: "refused", why: "Not granted.", secrets: [] },
      {
        ...line,
        outcome: "allowed",
        status: 200,
        secrets: [],
        usage: { ...noUsage, inputTokens: 12, outputTokens: 3 },
      },
    ]);
    const shown = (await hearth("activation", "egress", id)).out;
    expect(shown).toMatch(/allowed 200 +GET allowed\.example:443\/a +120 +4096 +github/);
    expect(shown).toMatch(/refused +GET allowed\.example:443\/a +120 +4096 +Not granted\./);
    expect(shown).toMatch(/allowed 200 +GET allowed\.example:443\/a +120 +4096 +12 in, 3 out/);
    expect(await json("activation", "egress", id)).toMatchObject([
      ...[{ secrets: ["github"] }, { why: "Not granted." }, { usage: { inputTokens: 12 } }],
    ]);
    expect(await hearth("activation", "stop", id)).toEqual({ code: 0, out: `${id} is stopped\n`, err: "" });
    expect((await hearth("activation", "stop", "nonsense")).code).toBe(2);
  });
});
