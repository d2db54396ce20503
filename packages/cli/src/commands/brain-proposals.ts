/** `hearth brain proposals`, `approve` and `deny`: proposed changes to guarded brain files. */
import type { Proposal, ProposalState } from "@hearth/protocol";
import { type Context, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

const NEEDS = "x on the agent's house";
const STATES = ["pending", "approved", "denied"] as const;

export const proposals = defineCommand({
  summary: "Shows proposed changes to guarded brain files that wait for your decision",
  needs: NEEDS,
  args: [{ name: "AGENT" }],
  flags: {
    state: {
      kind: "text",
      value: "STATE",
      choices: [...STATES, "all"],
      summary: "pending (default), another state, or all",
    },
  },
  details: "If a proposal halts the agent, the agent does not run until you decide.",
  examples: ["hearth brain proposals main", "hearth brain proposals main --state all --json"],
  async run({ connect, json, output }, { state = "pending" }, [agent = ""]) {
    const foundProposals = await (
      await (await connect()).brains()
    ).proposals(agent, state === "all" ? {} : { state: state as ProposalState });
    if (json) output.json(foundProposals);
    else if (foundProposals.length === 0) output.note("No proposals wait for your decision.");
    else for (const proposal of foundProposals) printProposal({ output }, agent, proposal);
    return exitCodes.done;
  },
});

export const approve = defineCommand({
  summary: "Applies a proposed change",
  details:
    "Later edits of the file stay. Fails if they changed the same lines. To see the result first: hearth brain proposals AGENT",
  needs: NEEDS,
  args: [{ name: "AGENT" }, { name: "ID" }],
  flags: { reason: { kind: "text", value: "TEXT", summary: "the reason, for the log" } },
  examples: ["hearth brain approve main prop_01m80gjhbw6h6gx4tc8bhchw80"],
  run: ({ connect, json, output }, { reason }, [agent = "", id = ""]) =>
    decide({ connect, json, output }, agent, id, { decision: "approve", ...toReasonField(reason) }),
});

export const deny = defineCommand({
  summary: "Denies a proposed change; an edit made directly in the file is reverted",
  needs: NEEDS,
  args: [{ name: "AGENT" }, { name: "ID" }],
  flags: { reason: { kind: "text", value: "TEXT", summary: "the reason, for the log" } },
  examples: ["hearth brain deny main prop_01m80gjhbw6h6gx4tc8bhchw80"],
  run: ({ connect, json, output }, { reason }, [agent = "", id = ""]) =>
    decide({ connect, json, output }, agent, id, { decision: "deny", ...toReasonField(reason) }),
});

const toReasonField = (reason: string | undefined): { readonly reason?: string } =>
  reason === undefined ? {} : { reason };

const decide = async (
  { connect, json, output }: Pick<Context, "connect" | "json" | "output">,
  agent: string,
  id: string,
  decision: { readonly decision: "approve" | "deny"; readonly reason?: string },
) => {
  const decidedProposal = await (
    await (await connect()).brains()
  ).decide(agent, readId("prop", id, `hearth brain proposals ${agent}`), decision);
  if (json) output.json(decidedProposal);
  else output.line(`${decidedProposal.state}: ${safeLine(decidedProposal.path)}`);
  return exitCodes.done;
};

const printProposal = (
  { output }: Pick<Context, "output">,
  agent: string,
  { id, path, why, halts, label, diff, stale, state, at, reason }: Proposal,
): void => {
  output.facts([
    ["id", id],
    ["file", path],
    ["why", why],
    ["halts", halts && state === "pending" ? "the agent does not run until you have decided" : undefined],
    ["from", label.sources.length === 0 ? undefined : label.sources.join(", ")],
    ["state", state],
    [
      "stale",
      stale === undefined
        ? undefined
        : `The change no longer applies. ${stale} Deny it, and have the agent propose it again.`,
    ],
    ["reason", reason],
    ["proposed", localTime(at)],
  ]);
  output.line("");
  for (const line of diff.split("\n").filter((line) => line !== "")) output.line(safeText(line));
  output.line("");
  if (state !== "pending") return;
  if (stale === undefined) output.line(`hearth brain approve ${agent} ${id}`);
  output.line(`hearth brain deny ${agent} ${id}`);
  output.line("");
};
