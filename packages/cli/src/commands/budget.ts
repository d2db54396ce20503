/** `hearth budget`: shows what was spent on models and what is left of each limit. */
import { type AgentRecord, type BudgetState, showLimit, showMoney } from "@hearth/protocol";
import { describeAtLimit } from "../flags/budget-flags.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

export const budget = defineCommand({
  summary: "Shows spending on models and what is left of each budget",
  needs: "a credential",
  flags: {},
  details: [
    "Covers today and this month, for bots whose house you may read; with x on the first house also for all agents together. RESERVED is",
    "set aside for running turns. To set a limit: hearth agent edit NAME --budget-day 2.50, or hearth config set budget.day=2.50 for all agents.",
  ].join("\n"),
  examples: ["hearth budget", "hearth budget --json"],
  async run({ connect, json, output }) {
    const client = await connect();
    const report = await client.budget();
    if (json) output.json(report);
    else {
      const agents = await client.agents.list();
      output.table(
        ["AGENT", "PERIOD", "SPENT", "TOKENS", "RESERVED", "LIMIT", "LEFT", "USED", "AT LIMIT"],
        report.budgets.map((state) => [
          nameOf(state, agents),
          state.per === "day" ? "today" : "this month",
          showMoney(state.spent.money),
          String(state.spent.tokens),
          state.reserved.tokens === 0 ? "" : showMoney(state.reserved.money),
          ...(state.limit === undefined ? ["none", ""] : [showLimit(state.limit), showLimit(state.left ?? {})]),
          state.percent === undefined ? "" : `${state.percent} %`,
          state.atLimit === undefined ? "" : describeAtLimit(state.atLimit),
        ]),
        "No spending today or this month, and no limits.",
      );
      if (report.turn !== undefined) output.note(`One turn of any agent may spend ${showLimit(report.turn)}.`);
      for (const state of report.budgets) if (state.isReached) output.note(describeReached(state, agents));
    }
    return exitCodes.done;
  },
});

/** Describes a reached limit, for example "today's budget of @main is used up, until …". */
export const describeReached = (state: BudgetState, agents: readonly AgentRecord[]): string =>
  `${state.per === "day" ? "today's" : "this month's"} budget of ${nameOf(state, agents)} is used up, until ${localTime(state.resetsAt)}`;

const nameOf = ({ agent }: BudgetState, agents: readonly AgentRecord[]): string => {
  if (agent === undefined) return "all agents";
  const handle = agents.find(({ id }) => id === agent)?.handle;
  return handle === undefined ? agent : `@${safeLine(handle)}`;
};
