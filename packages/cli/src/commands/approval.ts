/** `hearth approval`: lists, shows, allows and denies calls that need a person's approval. */
import type { Client } from "@hearth/client";
import type { Approval, ApprovalScope, ApprovalState } from "@hearth/protocol";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge, localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";
import { rule } from "./approval-rule.ts";

const NEEDS = "x on the agent's house, or the right approve";
const LIST = "hearth approval list";
const STATES = ["pending", "allowed", "denied", "expired", "used"] as const;

const list = defineCommand({
  summary: "Lists calls that wait for your decision, newest first",
  needs: "a credential",
  flags: {
    state: {
      kind: "text",
      value: "STATE",
      choices: [...STATES, "all"],
      summary: "pending (default), another state, or all",
    },
    activation: {
      kind: "text",
      value: "ACTIVATION",
      summary: "only calls of this turn; all states unless --state is given",
    },
  },
  examples: ["hearth approval list", "hearth approval list --activation act_01m80gjhbw6h6gx4tc8bhchw80 --json"],
  async run({ connect, json, output, terminal }, { activation, state = activation === undefined ? "pending" : "all" }) {
    const client = await connect();
    const calls = await client.approvals();
    const approvals = await calls.list({
      state: state === "all" ? undefined : (state as ApprovalState),
      activation: activation === undefined ? undefined : readId("act", activation, "hearth activation list AGENT"),
    });
    if (json) output.json(approvals);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      output.table(
        ["ID", "AGENT", "TOOL", "STATE", "REQUESTED", "EXPIRES"],
        await Promise.all(
          approvals.map(async ({ id, agent, what, state: approvalState, createdAt, expiresAt }) => [
            id,
            await names.get(agent),
            what.name,
            approvalState,
            formatAge(createdAt, now),
            approvalState === "pending" ? localTime(expiresAt) : "",
          ]),
        ),
        state === "pending" ? "Nothing waits for your decision." : "No approvals match.",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows exactly what would run and what you can allow",
  needs: NEEDS,
  args: [{ name: "ID" }],
  flags: {},
  examples: ["hearth approval show apr_01m80gjhbw6h6gx4tc8bhchw80"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const approval = await (await client.approvals()).get(readId("apr", id, LIST));
    if (json) output.json(approval);
    else await printApproval({ output }, client, approval);
    return exitCodes.done;
  },
});

const allow = defineCommand({
  summary: "Allows a call once, for the session, or by a standing rule",
  needs: NEEDS,
  args: [{ name: "ID" }],
  flags: {
    session: { kind: "switch", summary: "also allow similar calls in that room until a new session begins there" },
    rule: { kind: "switch", summary: "also allow similar calls from now on; `approval show` lists exactly which" },
    reason: { kind: "text", value: "TEXT", summary: "the reason, for the log" },
  },
  examples: [
    "hearth approval allow apr_01m80gjhbw6h6gx4tc8bhchw80",
    "hearth approval allow apr_01m80gjhbw6h6gx4tc8bhchw80 --session",
  ],
  async run({ connect, json, output }, { session, rule: asRule, reason }, [id = ""]) {
    if (session && asRule) throw new UsageError("--session and --rule cannot be combined.", "Give one of them.");
    const scope: ApprovalScope = session ? "session" : asRule ? "rule" : "once";
    const calls = await (await connect()).approvals();
    const decidedApproval = await calls.decide(readId("apr", id, LIST), {
      decision: "allow",
      scope,
      ...(reason === undefined ? {} : { reason }),
    });
    if (json) output.json(decidedApproval);
    else {
      const { offers, what } = decidedApproval;
      output.line(`allowed: ${safeLine(offers.find((offer) => offer.scope === scope)?.text ?? what.name)}`);
    }
    return exitCodes.done;
  },
});

const deny = defineCommand({
  summary: "Denies a call; the agent receives the reason",
  needs: NEEDS,
  args: [{ name: "ID" }],
  flags: { reason: { kind: "text", value: "TEXT", summary: "the reason, for the agent" } },
  examples: ['hearth approval deny apr_01m80gjhbw6h6gx4tc8bhchw80 --reason "Wrong recipient."'],
  async run({ connect, json, output }, { reason }, [id = ""]) {
    const calls = await (await connect()).approvals();
    const decidedApproval = await calls.decide(readId("apr", id, LIST), {
      decision: "deny",
      ...(reason === undefined ? {} : { reason }),
    });
    if (json) output.json(decidedApproval);
    else output.line(`denied: ${safeLine(decidedApproval.what.name)}`);
    return exitCodes.done;
  },
});

const printApproval = async (
  { output }: Pick<Context, "output">,
  client: Client,
  approval: Approval,
): Promise<void> => {
  const names = await createNames(client);
  const { agent, room, person, by, state, asks, offers, display, reason, createdAt, expiresAt } = approval;
  output.facts([
    ["id", approval.id],
    ["agent", await names.get(agent)],
    ["room", room],
    ["asked of", person === undefined ? "everyone with x on its house" : await names.get(person)],
    ["why", asks.map(({ text }) => text).join(" ")],
    ["state", by === undefined ? state : `${state} by ${await names.get(by)}`],
    ["reason", reason],
    ["asked", localTime(createdAt)],
    ["until", state === "pending" ? localTime(expiresAt) : undefined],
  ]);
  output.line("");
  // The house has already escaped terminal control characters in `display`.
  for (const line of display.split("\n")) output.line(line);
  output.line("");
  if (state !== "pending") return;
  for (const { scope, text } of offers)
    output.line(`hearth approval allow ${approval.id}${scope === "once" ? "" : ` --${scope}`}  # ${safeLine(text)}`);
  output.line(`hearth approval deny ${approval.id}`);
};

export const approval: Group = {
  kind: "group",
  summary: "Allows or denies calls that need your approval",
  verbs: { list, show, allow, deny, rule },
};
