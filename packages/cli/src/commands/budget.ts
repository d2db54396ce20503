/** What was spent on models, and how much of each limit is left. */
import { type AgentRecord, type BudgetState, showLimit, showMoney } from "@hearth/protocol";
import { tellAtLimit } from "../budget-flags.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { localTime } from "../time.ts";

export const budget = defineCommand({
  summary: "Shows what was spent on models, and what is left",
  needs: "a credential",
  flags: {},
  details: [
    "Today and this month, of the bots whose house you may read; of all agents together with x on the first house. What is held back is",
    "for answers that are being written. Limits: hearth agent edit NAME --budget-day 2.50, and [budget] in hearth.toml for all.",
  ].join("\n"),
  examples: ["hearth budget", "hearth budget --json"],
  async run({ connect, json, output }) {
    const client = await connect();
    const report = await client.budget();
    if (json) output.json(report);
    else {
      const agents = await client.agents.list();
      output.table(
        ["WHOSE", "WHEN", "SPENT", "TOKENS", "HELD", "LIMIT", "LEFT", "USED", "THEN"],
        report.budgets.map((state) => [
          ...[nameOf(state, agents), state.per === "day" ? "today" : "this month"],
          ...[showMoney(state.spent.money), String(state.spent.tokens)],
          state.reserved.tokens === 0 ? "" : showMoney(state.reserved.money),
          ...(state.limit === undefined ? ["none", ""] : [showLimit(state.limit), showLimit(state.left ?? {})]),
          state.percent === undefined ? "" : `${state.percent} %`,
          state.atLimit === undefined ? "" : tellAtLimit(state.atLimit),
        ]),
        "Nothing was spent today or this month, and nothing has a limit.",
      );
      if (report.turn !== undefined) output.note(`One turn of any agent may spend ${showLimit(report.turn)}.`);
      for (const state of report.budgets) if (state.isReached) output.note(tellReached(state, agents));
    }
    return exitCodes.done;
  },
});

/** "today's budget of @main is used up, until …" */
export const tellReached = (state: BudgetState, agents: readonly AgentRecord[]): string =>
  `${state.per === "day" ? "today's" : "this month's"} budget of ${nameOf(state, agents)} is used up, until ${localTime(state.resetsAt)}`;

const nameOf = ({ agent }: BudgetState, agents: readonly AgentRecord[]): string => {
  if (agent === undefined) return "all agents";
  const handle = agents.find(({ id }) => id === agent)?.handle;
  return handle === undefined ? agent : `@${safeLine(handle)}`;
};
