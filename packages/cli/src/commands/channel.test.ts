/** The requests and the output of the commands about chat platforms. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out);

const ID = "0".repeat(26);
const tele = {
  name: "tele",
  kind: "telegram",
  mode: "poll",
  agent: "main",
  state: "failing",
  queued: 1,
  unknown: 1,
  error: { code: "channel.unreachable", message: "It is away.\u001b[2J", hint: "Wait." },
};
const delivery = (over: object) => ({
  ...{
    id: `out_${ID}`,
    channel: "tele",
    conversation: "c1",
    text: "hi\nthere",
    state: "queued",
    attempts: 1,
    createdAt: 1,
  },
  ...over,
});

describe("channels", () => {
  test("are listed with their state; without any, the output says how to add one", async () => {
    house.answer("GET /api/channels", [tele]);
    const { code, out } = await hearth("channel", "list");
    expect(code).toBe(0);
    expect(out.split("\n")[1]).toMatch(/^tele +telegram +poll +@main +failing +1 +1 +It is away\.\\e\[2J$/);
    expect(await json("channel", "list")).toEqual([tele]);
    house.answer("GET /api/channels", []);
    expect((await hearth("channel", "list")).err).toContain("hearth channel add telegram");
  });

  test("are shown with pending deliveries, deliveries of unknown outcome, and refused updates", async () => {
    house.answer("GET /api/channels", [tele]);
    const unknown = delivery({
      state: "unknown",
      text: "x".repeat(60),
      error: { code: "channel.failed", message: "Gone." },
    });
    const refused = [{ channel: "tele", externalId: "u", at: 1, conversation: "d1", sender: "s1", fate: "unpaired" }];
    house.answer("GET /api/channels/tele/outbox", [unknown]);
    house.answer("GET /api/channels/tele/refused", refused);
    const { code, out, err } = await hearth("channel", "show", "tele");
    expect(code).toBe(0);
    expect(out).toContain("error    It is away.\\e[2J\n");
    expect(out).toContain(`out_${ID}  unknown  c1`);
    expect(out).toContain(`${"x".repeat(39)}…  Gone.`);
    expect(out).toMatch(/s1 +d1 +unpaired/);
    expect(err).toContain("hearth channel resend ID");
    expect(await json("channel", "show", "tele")).toMatchObject({
      name: "tele",
      deliveries: { unknown: [unknown] },
      refused,
    });
    house.answer("GET /api/channels/tele/outbox", [delivery({ state: "unknown", endedAt: 2 })]);
    const settled = await hearth("channel", "show", "tele");
    expect(settled.out).toContain(`out_${ID}  left`);
    expect(settled.err).toBe("");
  });

  test("are shown without a table of deliveries if none is pending", async () => {
    house.answer("GET /api/channels", [tele]);
    house.answer("GET /api/channels/tele/outbox", []);
    house.answer("GET /api/channels/tele/refused", []);
    const { out, err } = await hearth("channel", "show", "tele");
    expect(out).toEndWith("unknown  1\n");
    expect(err).toBe("");
  });

  test("that do not exist cause no request about them", async () => {
    house.answer("GET /api/channels", [tele]);
    for (const verb of ["show", "test"]) {
      const { code, err } = await hearth("channel", verb, "tela");
      expect([code, err]).toEqual([2, 'hearth: There is no channel "tela". Did you mean "tele"?\n  There is: tele.\n']);
    }
    expect(house.requests.filter((request) => request !== "GET /api/channels")).toEqual([]);
  });

  test("are tested, and the exit code is the test's result", async () => {
    house.answer("GET /api/channels", [tele]);
    house.answer("POST /api/channels/tele/test", { ok: true, detail: "@the_bot" });
    expect(await hearth("channel", "test", "tele")).toEqual({ code: 0, out: "ok  @the_bot\n", err: "" });
    house.answer("POST /api/channels/tele/test", { ok: false, detail: "401" });
    expect(await hearth("channel", "test", "tele")).toEqual({ code: 1, out: "FAIL  401\n", err: "" });
  });

  test("are changed: the agent, the token from a reference, and the platform's refusal", async () => {
    house.answer("GET /api/channels", [tele]);
    const channel = { ...tele, agent: "helper" };
    house.answer("PATCH /api/channels/tele", { channel });
    expect((await hearth("channel", "edit", "tele", "--agent", "@helper")).out).toBe(
      "changed tele; @helper answers there\n",
    );
    house.answer("PATCH /api/channels/tele", { channel, test: { ok: false, detail: "401." } });
    const refused = await hearth("channel", "edit", "tele", "--token", "secret:TELE");
    expect([refused.code, refused.out]).toEqual([1, "FAIL  401. Nothing has changed.\n"]);
    expect(house.requests.filter((request) => request.startsWith("PATCH"))).toEqual([
      'PATCH /api/channels/tele {"agent":"helper"}',
      'PATCH /api/channels/tele {"tokenReference":"secret:TELE"}',
    ]);
    expect((await hearth("channel", "edit", "tele")).err).toContain("Give --agent, --token or --token-stdin.");
    expect((await hearth("channel", "edit", "tele", "--token", "4242:x")).err).toContain("not the token itself");
    expect((await hearth("channel", "edit", "tele", "--token", "env:X", "--token-stdin")).err).toContain("either");
  });

  test("retry or drop deliveries of unknown outcome", async () => {
    const path = `POST /api/outbox/out_${ID}`;
    house.answer(path, delivery({ state: "queued" }));
    expect((await hearth("channel", "resend", `out_${ID}`)).out).toBe(`out_${ID} is sent again\n`);
    expect((await hearth("channel", "leave", `out_${ID}`)).out).toBe(`out_${ID} is closed without sending again\n`);
    expect(house.requests).toEqual([`${path} {"decision":"resend"}`, `${path} {"decision":"leave"}`]);
  });
});

describe("pairings", () => {
  const pairing = { channel: "tele", sender: "s1", name: "Ana\u001b]0;x\u0007", state: "allowed", createdAt: 1 };

  test("are listed with the sender and the state of their code", async () => {
    const pending = { ...pairing, sender: "s2", state: "pending", expiresAt: Number.MAX_SAFE_INTEGER };
    const late = { ...pairing, sender: "s3", state: "pending", expiresAt: 1 };
    house.answer("GET /api/pairings", [{ ...pairing, person: house.owner.id }, pending, late]);
    const [, first, second, third] = (await hearth("pairing", "list")).out.split("\n");
    expect(first).toMatch(/^tele +s1 +Ana\\e\]0;x\\u0007 +allowed +Owner /);
    expect(second).toMatch(/s2 .*pending .*valid$/);
    expect(third).toMatch(/s3 .*pending .*expired$/);
  });

  test("are approved by their code, as an existing agent or as a new one", async () => {
    house.answer("POST /api/pairings", { ...pairing, person: house.owner.id });
    expect((await hearth("pairing", "approve", "ABCD-EFGH", "--as", "owner")).out).toBe(
      "Ana\\e]0;x\\u0007 on tele is Owner\n",
    );
    await hearth("pairing", "approve", "ABCD-EFGH");
    expect(house.requests.filter((request) => request.startsWith("POST"))).toEqual([
      'POST /api/pairings {"code":"ABCD-EFGH","as":"owner"}',
      'POST /api/pairings {"code":"ABCD-EFGH"}',
    ]);
  });

  test("are blocked and removed", async () => {
    house.answer("DELETE /api/pairings/tele/s1", {});
    expect((await hearth("pairing", "block", "tele", "s1")).out).toBe("blocked s1 on tele\n");
    expect((await hearth("pairing", "forget", "tele", "s1")).out).toBe("forgot s1 on tele\n");
    expect(house.requests).toEqual(["DELETE /api/pairings/tele/s1", "DELETE /api/pairings/tele/s1"]);
  });
});

test("the fates of a room are printed completely, each in a sentence", async () => {
  const den = house.addRoom({ name: "Den", kind: "group" });
  const by = house.main.id;
  const activation = `act_${ID}`;
  const fates = [
    { kind: "answered", by, activation, delivery: "unknown" },
    { kind: "answered", by, activation, delivery: "none" },
    { kind: "answered", by, activation, delivery: "sent" },
    { kind: "answered", by, activation, delivery: "queued" },
    { kind: "answered", by, activation, delivery: "refused" },
    { kind: "ignored" },
    { kind: "forgotten" },
    { kind: "damaged" },
    { kind: "queued", by, activation },
    { kind: "running", by, activation },
    { kind: "waiting", by, activation },
    { kind: "failed", by, activation, reason: "No key." },
    { kind: "stopped", by, activation },
  ].map((fate, index) => ({
    event: `evt_${ID}`,
    offset: index + 1,
    at: 1,
    author: house.owner.id,
    channel: "tele",
    fate,
  }));
  house.answer(`GET /api/rooms/${den.id}/fates`, { fates, next: 0 });
  const lines = (await hearth("room", "fates", "den")).out.split("\n").slice(1);
  expect(lines.map((line) => line.replace(/^.*Owner +tele +/, ""))).toEqual([
    "answered by Main, but it may not have arrived",
    "answered by Main",
    "answered by Main, sent",
    "answered by Main, waits to be sent",
    "answered by Main, but the platform refused it",
    "woke no agent",
    "is older than the kept records",
    "is damaged and woke no agent",
    "waits for Main",
    "Main is answering",
    "Main waits for a decision",
    "failed by Main: No key.",
    "stopped by Main",
    "",
  ]);
  expect(await json("room", "fates", "den")).toEqual(fates);
});
