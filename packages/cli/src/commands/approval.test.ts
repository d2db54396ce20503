/** The requests and the output of the commands about approvals and their rules. */
import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { localTime } from "../show/time.ts";

const commands = commandsForEach();
const { hearth, json } = commands;

const digits = (count: number): string => String(count).padStart(26, "0");
const ID = `apr_${digits(7)}`;
const RULE = `rule_${digits(8)}`;
const OFFERS = [
  { scope: "once", text: "This call, once." },
  { scope: "session", text: "Calls of this program until the session ends." },
];
const approval = (over: object = {}) => ({
  ...{ id: ID, house: commands.house.house.id, agent: commands.house.main.id, room: `room_${digits(1)}` },
  ...{ activation: `act_${digits(1)}`, step: 1, display: 'shell\n  command: "ls"', offers: OFFERS },
  what: { kind: "tool", name: "shell", input: '{"command":"ls"}', hash: "0" },
  asks: [
    { stage: "mode", text: "It asks first.", fields: [] },
    { stage: "labels", text: "A stranger named it.", fields: [] },
  ],
  ...{ state: "pending", createdAt: 940_000, expiresAt: 90_000_000 },
  ...over,
});
const show = async (over: object = {}): Promise<string> => {
  commands.house.answer(`GET /api/approvals/${ID}`, approval(over));
  return (await hearth("approval", "show", ID)).out;
};

describe("approvals", () => {
  test("are listed: pending ones by default, one state, or all", async () => {
    const used = approval({ id: `apr_${digits(9)}`, state: "used" });
    commands.house.answer("GET /api/approvals", [approval(), used]);
    expect((await hearth("approval", "list")).out.split("\n")).toEqual([
      expect.stringMatching(/^ID +AGENT +TOOL +STATE +REQUESTED +EXPIRES$/),
      expect.stringMatching(new RegExp(`^${ID} +Main +shell +pending +1 min ago +${localTime(90_000_000)}$`)),
      expect.stringMatching(/^apr_0+9 +Main +shell +used +1 min ago$/),
      "",
    ]);
    expect(commands.house.queries.at(-2)).toEqual({ state: "pending" });
    await hearth("approval", "list", "--state", "denied");
    expect(commands.house.queries.at(-2)).toEqual({ state: "denied" });
    expect(await json("approval", "list", "--state", "all")).toEqual([approval(), used]);
    expect(commands.house.queries.at(-1)).toEqual({});
    await json("approval", "list", "--activation", `act_${digits(1)}`);
    expect(commands.house.queries.at(-1)).toEqual({ activation: `act_${digits(1)}` });
    await json("approval", "list", "--activation", `act_${digits(1)}`, "--state", "used");
    expect(commands.house.queries.at(-1)).toEqual({ activation: `act_${digits(1)}`, state: "used" });
  });

  test("that are missing are reported in words that fit the filter", async () => {
    commands.house.answer("GET /api/approvals", []);
    const words = async (...more: string[]) => Object.values(await hearth("approval", "list", ...more)).join();
    expect(await words()).toContain("Nothing waits for your decision.");
    expect(await words("--state", "used")).toContain("No approvals match.");
  });

  test("are shown with the call, the reasons and what can be allowed", async () => {
    const out = await show();
    expect(out).toMatch(/^agent +Main$/m);
    expect(out).toMatch(/^asked of +everyone with x on its house$/m);
    expect(out).toMatch(/^why +It asks first\. A stranger named it\.$/m);
    expect(out).toMatch(/^state +pending$/m);
    expect(out).toMatch(new RegExp(`^until +${localTime(90_000_000)}$`, "m"));
    expect(out).toContain('\nshell\n  command: "ls"\n');
    expect(out).toContain(`\nhearth approval allow ${ID}  # This call, once.\n`);
    expect(out).toContain(`\nhearth approval allow ${ID} --session  # Calls of this program`);
    expect(out).toEndWith(`\nhearth approval deny ${ID}\n`);
    expect(await json("approval", "show", ID)).toEqual(approval());
  });

  test("that are decided are shown with who decided and why, and offer no decision", async () => {
    const { owner } = commands.house;
    const out = await show({ state: "denied", by: owner.id, person: owner.id, reason: "Not to them." });
    expect(out).toMatch(/^asked of +Owner$/m);
    expect(out).toMatch(/^state +denied by Owner$/m);
    expect(out).toMatch(/^reason +Not to them\.$/m);
    expect(out).not.toMatch(/^until/m);
    expect(out).not.toContain("hearth approval");
  });

  const decisions = [
    { words: ["allow", ID], body: { decision: "allow", scope: "once" }, out: "allowed: This call, once.\n" },
    {
      words: ["allow", ID, "--session", "--reason", "Fine."],
      body: { decision: "allow", scope: "session", reason: "Fine." },
      out: "allowed: Calls of this program until the session ends.\n",
    },
    { words: ["allow", ID, "--rule"], body: { decision: "allow", scope: "rule" }, out: "allowed: shell\n" },
    { words: ["deny", ID], body: { decision: "deny" }, out: "denied: shell\n" },
    { words: ["deny", ID, "--reason", "No."], body: { decision: "deny", reason: "No." }, out: "denied: shell\n" },
  ];
  test.each(decisions)("are decided: $words", async ({ words, body, out }) => {
    const [route, done] = [`POST /api/approvals/${ID}`, approval({ state: "allowed" })];
    commands.house.answer(route, done);
    expect(await hearth("approval", ...words)).toMatchObject({ code: 0, out });
    const request = commands.house.requests.findLast((line) => line.startsWith(route)) ?? "";
    expect(JSON.parse(request.slice(route.length))).toMatchObject(body);
    expect(request.includes("reason")).toBe("reason" in body);
    expect(await json("approval", ...words)).toEqual(done);
  });

  test("are not decided for the session and by a rule at once", async () => {
    const { code, err } = await hearth("approval", "allow", ID, "--session", "--rule");
    expect([code, err]).toEqual([2, "hearth: --session and --rule cannot be combined.\n  Give one of them.\n"]);
    expect(commands.house.requests.filter((line) => line.includes("approvals"))).toEqual([]);
  });
});

describe("standing approvals", () => {
  test("are listed, and removed", async () => {
    const { house, main, owner } = commands.house;
    const all = [
      { id: RULE, house: house.id, agent: main.id, tool: "shell", bound: "{}", text: "ls", by: owner.id, at: 940_000 },
    ];
    commands.house.answer("GET /api/approval-rules", all);
    const { out } = await hearth("approval", "rule", "list");
    expect(out.split("\n")[1]).toMatch(new RegExp(`^${RULE} +Owner +1 min ago +ls$`));
    expect(await json("approval", "rule", "list")).toEqual(all);
    commands.house.answer("GET /api/approval-rules", []);
    expect(Object.values(await hearth("approval", "rule", "list")).join()).toContain(
      "There are no standing approvals.",
    );
    commands.house.answer(`DELETE /api/approval-rules/${RULE}`, {});
    expect((await hearth("approval", "rule", "remove", RULE)).out).toStartWith(`removed ${RULE}: `);
    expect(await json("approval", "rule", "remove", RULE)).toEqual({ removed: RULE });
    expect(commands.house.requests.filter((line) => line.startsWith("DELETE"))).toHaveLength(2);
  });

  test.each([[["list", RULE]], [["remove"]], [["add", RULE]]])("refuse %p", async (words) => {
    const { code, err } = await hearth("approval", "rule", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining("Unknown action")]);
    expect(commands.house.requests.filter((line) => line.includes("approval-rules"))).toEqual([]);
  });
});
