/** `hearth restore`: shows and ends the hold on a house whose home was restored or copied. */
import type { RestoreDecision, RestoreState } from "@hearth/protocol";
import { type Context, defineCommand, type Group } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

const show = defineCommand({
  summary: "Shows whether the house is on hold, and its queued work",
  needs: "x on the first house",
  flags: {},
  details:
    "After its home was restored or copied, a house starts no work until you decide: hearth restore continue, or hearth restore discard",
  examples: ["hearth restore show", "hearth restore show --json"],
  async run({ connect, json, output }) {
    const state = await (await connect()).restore.state();
    if (json) output.json(state);
    else print(state, output);
    return exitCodes.done;
  },
});

const print = ({ onHold, findings, work }: RestoreState, output: Output): void => {
  if (!onHold) return output.line("The house is not on hold.");
  output.line("The house is on hold: it runs no turns, sends no deliveries and fires no jobs.");
  for (const { detail } of findings) output.line(`  ${safeLine(detail)}`);
  const rows = [
    ...work.activations.map(({ id, state, createdAt, inDoubt }) => {
      const calls = inDoubt.map(({ name }) => name).join(", ");
      return ["turn", id, state, localTime(createdAt), calls === "" ? "" : `may have been done: ${calls}`];
    }),
    ...work.messages.map(({ room, unread }) => ["messages", room, "unread", "", String(unread)]),
    ...work.deliveries.map(({ id, channel, state, createdAt }) => [
      "delivery",
      id,
      state,
      localTime(createdAt),
      channel,
    ]),
    ...work.jobs.map(({ name, dueAt, agent }) => ["job", name, "due", localTime(dueAt), agent]),
    ...work.approvals.map(({ id, name, state }) => ["approval", id, state, "", name]),
  ];
  output.table(
    ["WHAT", "ID", "STATE", "SINCE", "DETAIL"],
    rows.map((row) => row.map(safeLine)),
    "Nothing is queued.",
  );
  output.note("To do the queued work: hearth restore continue. To discard it: hearth restore discard");
};

const decide = async (
  { connect, json, output }: Context,
  decision: RestoreDecision,
  said: string,
): Promise<ExitCode> => {
  const state = await (await connect()).restore.decide(decision);
  if (json) output.json(state);
  else output.line(said);
  return exitCodes.done;
};

const goOn = defineCommand({
  summary: "Ends the hold and does the queued work",
  needs: "x on the first house",
  flags: {},
  details: "Turns, deliveries and jobs that were done after the backup was made are done again.",
  examples: ["hearth restore continue"],
  run: (context) => decide(context, "continue", "The hold has ended. The house does the queued work."),
});

const discard = defineCommand({
  summary: "Ends the hold and discards the queued work",
  needs: "x on the first house",
  flags: {},
  details:
    "Queued turns are stopped, queued deliveries are not sent, and due jobs are skipped. Rooms keep every message.",
  examples: ["hearth restore discard"],
  run: (context) => decide(context, "discard", "The hold has ended. The queued work was discarded."),
});

export const restore: Group = {
  kind: "group",
  summary: "Ends the hold on a restored or copied house",
  verbs: { show, continue: goOn, discard },
};
