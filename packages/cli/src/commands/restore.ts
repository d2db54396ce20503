/**
 * `hearth restore`: restores a backup, and shows and ends the hold on a house whose home was
 * restored or copied.
 */
import type { RestoreDecision, RestoreState } from "@hearth/protocol";
import { findBackupLocation, loadBackups, readIdentity, type RestoreReport } from "../at-rest/backups-at-rest.ts";
import { UsageError } from "../args/usage-error.ts";
import { identityFlag, printVerified } from "./backup.ts";
import { type Context, defineCommand, type Group } from "../command.ts";
import { countOf } from "../show/count.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatSize } from "../show/size.ts";
import { localTime } from "../show/time.ts";

const restoreBackup = defineCommand({
  summary: "Restores a backup into an empty home",
  needs: "access to this machine",
  flags: {
    from: {
      kind: "text",
      value: "DIR|FILE|TARGET",
      summary: "a folder of backups, a backup file, or a backup target",
    },
    number: {
      kind: "number",
      value: "N",
      min: 1,
      max: 999_999_999,
      summary: "this backup (default: the newest complete one)",
    },
    ...identityFlag,
  },
  details: [
    "Verifies the whole backup first, and names every missing or damaged file. The home, --home DIR, must be empty or not exist.",
    "The house then starts on hold. To see the work that it would repeat: hearth restore show. An interrupted restore can be run again.",
  ].join("\n"),
  examples: [
    "hearth restore --from /mnt/disk/hearth",
    "hearth restore --from /mnt/disk/hearth --number 3 --home ~/house",
    "hearth restore --from sftp://house@nas/srv/hearth --home ~/house",
  ],
  async run(context, { from, number, identity }) {
    const { home, json, output } = context;
    if (from === undefined)
      throw new UsageError(
        "--from is missing.",
        "Name the folder of backups, the file of one, or a target: hearth restore --from DIR|FILE|TARGET",
      );
    const { to: folder } = await findBackupLocation("from", from, context);
    const { restore: restoreFrom } = await loadBackups();
    const identityText = await readIdentity(identity, context);
    const outcome = await restoreFrom({
      home,
      from: folder,
      ...(number === undefined ? {} : { number }),
      ...(identityText === undefined ? {} : { identity: identityText }),
    });
    if (json) output.json(outcome);
    else if (outcome.kind === "damaged") {
      printVerified(outcome, output);
      output.failure({
        message: `Nothing was restored: backup ${outcome.number} is damaged.`,
        hint: `Restore another one: hearth backup list --from ${folder}`,
      });
    } else printRestored(outcome, output);
    return outcome.kind === "restored" ? exitCodes.done : exitCodes.failed;
  },
});

const printRestored = ({ home, number, at, house, files, bytes, remarks }: RestoreReport, output: Output): void => {
  output.line(`Backup ${number} of ${safeLine(house)}, made ${localTime(at)}, is restored: ${safeLine(home)}`);
  output.line(`  ${countOf(files, "file")}, ${formatSize(bytes)}, all verified`);
  for (const remark of remarks) output.note(`warning: ${safeLine(remark)}`);
  output.note(`Start it: hearth up --home ${safeLine(home)}`);
  output.note("It starts on hold. To see the work that it would repeat: hearth restore show");
};

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
    else printState(state, output);
    return exitCodes.done;
  },
});

const printState = ({ onHold, findings, work }: RestoreState, output: Output): void => {
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
  label: string,
): Promise<ExitCode> => {
  const state = await (await connect()).restore.decide(decision);
  if (json) output.json(state);
  else output.line(label);
  return exitCodes.done;
};

const continueWork = defineCommand({
  summary: "Ends the hold and does the queued work",
  needs: "x on the first house",
  flags: {},
  details: "Repeats turns, deliveries and jobs that were done after the backup was made.",
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
  summary: "Restores a backup, and ends the hold on a restored or copied house",
  verbs: { show, continue: continueWork, discard },
  defaultCommand: restoreBackup,
};
