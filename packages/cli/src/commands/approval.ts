/** What agents ask a person before they do it: looking at it, allowing it, denying it. */
import type { Client } from "@hearth/client";
import type { Approval, ApprovalScope, ApprovalState } from "@hearth/protocol";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../ids.ts";
import { createNames } from "../names.ts";
import { safeLine } from "../safe-text.ts";
import { ago, localTime } from "../time.ts";
import { UsageError } from "../usage-error.ts";
import { rule } from "./approval-rule.ts";

const NEEDS = "x on the agent's house";
const LIST = "hearth approval list";
const STATES = ["pending", "allowed", "denied", "expired", "used"] as const;

const list = defineCommand({
  summary: "Lists what waits for your word, newest first",
  needs: "a credential",
  flags: {
    state: {
      kind: "text",
      value: "STATE",
      choices: [...STATES, "all"],
      summary: "pending (default), another state, or all",
    },
  },
  examples: ["hearth approval list", "hearth approval list --state all --json"],
  async run({ connect, json, output, terminal }, { state = "pending" }) {
    const client = await connect();
    const calls = await client.approvals();
    const approvals = await calls.list(state === "all" ? {} : { state: state as ApprovalState });
    if (json) output.json(approvals);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      output.table(
        ["ID", "AGENT", "CALLS", "STATE", "ASKED", "UNTIL"],
        await Promise.all(
          approvals.map(async ({ id, agent, what, state: is, createdAt, expiresAt }) => [
            ...[id, await names.of(agent), what.name, is, ago(createdAt, now)],
            is === "pending" ? localTime(expiresAt) : "",
          ]),
        ),
        state === "pending" ? "Nothing waits for your word." : "There is nothing of that kind.",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows exactly what would run, and what you can allow",
  needs: NEEDS,
  args: [{ name: "ID" }],
  flags: {},
  examples: ["hearth approval show apr_01m80gjhbw6h6gx4tc8bhchw80"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const approval = await (await client.approvals()).get(readId("apr", id, LIST));
    if (json) output.json(approval);
    else await print({ output }, client, approval);
    return exitCodes.done;
  },
});

const allow = defineCommand({
  summary: "Allows a call: once, or as far as it says when you ask for more",
  needs: NEEDS,
  args: [{ name: "ID" }],
  flags: {
    session: { kind: "switch", summary: "also calls like it in that room, until a new session begins there" },
    rule: { kind: "switch", summary: "also calls like it from now on: see what that lets pass with `approval show`" },
    reason: { kind: "text", value: "TEXT", summary: "why, for the log" },
  },
  examples: [
    "hearth approval allow apr_01m80gjhbw6h6gx4tc8bhchw80",
    "hearth approval allow apr_01m80gjhbw6h6gx4tc8bhchw80 --session",
  ],
  async run({ connect, json, output }, { session, rule: asRule, reason }, [id = ""]) {
    if (session && asRule)
      throw new UsageError("It is for the session or a rule, not both.", "Leave one of the flags away.");
    const scope: ApprovalScope = session ? "session" : asRule ? "rule" : "once";
    const calls = await (await connect()).approvals();
    const done = await calls.decide(readId("apr", id, LIST), {
      decision: "allow",
      scope,
      ...(reason === undefined ? {} : { reason }),
    });
    if (json) output.json(done);
    else
      output.line(`allowed: ${safeLine(done.offers.find((offer) => offer.scope === scope)?.text ?? done.what.name)}`);
    return exitCodes.done;
  },
});

const deny = defineCommand({
  summary: "Denies a call; the agent reads why",
  needs: NEEDS,
  args: [{ name: "ID" }],
  flags: { reason: { kind: "text", value: "TEXT", summary: "why, for the agent" } },
  examples: ['hearth approval deny apr_01m80gjhbw6h6gx4tc8bhchw80 --reason "Not to them."'],
  async run({ connect, json, output }, { reason }, [id = ""]) {
    const calls = await (await connect()).approvals();
    const done = await calls.decide(readId("apr", id, LIST), {
      decision: "deny",
      ...(reason === undefined ? {} : { reason }),
    });
    if (json) output.json(done);
    else output.line(`denied: ${safeLine(done.what.name)}`);
    return exitCodes.done;
  },
});

const print = async ({ output }: Pick<Context, "output">, client: Client, approval: Approval): Promise<void> => {
  const names = await createNames(client);
  const { agent, room, person, by, state, asks, offers, display, reason, createdAt, expiresAt } = approval;
  output.facts([
    ["id", approval.id],
    ["agent", await names.of(agent)],
    ["room", room],
    ["asked of", person === undefined ? "whoever decides in its house" : await names.of(person)],
    ["why", asks.map(({ text }) => text).join(" ")],
    ["state", by === undefined ? state : `${state} by ${await names.of(by)}`],
    ["reason", reason],
    ["asked", localTime(createdAt)],
    ["until", state === "pending" ? localTime(expiresAt) : undefined],
  ]);
  output.line("");
  // Its own lines, and nothing in them that a terminal would obey.
  for (const line of display.split("\n")) output.line(line);
  output.line("");
  if (state !== "pending") return;
  for (const { scope, text } of offers)
    output.line(`hearth approval allow ${approval.id}${scope === "once" ? "" : ` --${scope}`}  # ${safeLine(text)}`);
  output.line(`hearth approval deny ${approval.id}`);
};

export const approval: Group = {
  kind: "group",
  summary: "What agents ask you before they do it",
  verbs: { list, show, allow, deny, rule },
};
