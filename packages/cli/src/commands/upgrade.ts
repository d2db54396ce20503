/** `hearth upgrade`: updates the database of a home for this version of Hearth, and undoes an update. */
import {
  loadUpgrades,
  type RollbackPlan,
  type RollbackReport,
  type UpgradePlan,
  type UpgradeReport,
} from "../at-rest/upgrades-at-rest.ts";
import { requireLocal } from "../at-rest/require-local.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatSize } from "../show/size.ts";
import { localTime } from "../show/time.ts";

export const upgrade = defineCommand({
  summary: "Updates the database for this version of Hearth, or rolls the update back",
  needs: "access to this machine",
  flags: {
    check: { kind: "switch", summary: "only show what would happen, and change nothing" },
    rollback: { kind: "switch", summary: "go back to the copy of the database from before the last update" },
  },
  details: [
    "Stop the house first. Makes a copy of the database, updates it in one transaction, and checks the result. A result that fails the check is replaced by the copy.",
    "Starting the house does the same, without that check. --check also works while the house runs.",
    "--rollback loses the messages and turns since the copy; it shows their number, and keeps the replaced database in the home's copies folder.",
  ].join("\n"),
  examples: [
    "hearth upgrade --check",
    "hearth upgrade",
    "hearth upgrade --rollback --check",
    "hearth upgrade --rollback",
  ],
  async run(context, { check, rollback }) {
    const { home, json, output } = context;
    requireLocal(context);
    const upgrades = await loadUpgrades();
    if (check && !rollback) {
      const plan = upgrades.planUpgrade({ home });
      if (json) output.json(plan);
      else printPlan(plan, output);
      return plan.problems.length === 0 ? exitCodes.done : exitCodes.failed;
    }
    if (check) {
      const plan = upgrades.planRollback(home);
      if (json) output.json(plan);
      else printRollback(plan, output);
    } else if (rollback) {
      const report = await upgrades.rollback(home);
      if (json) output.json(report);
      else printRolledBack(report, output);
    } else {
      const report = await upgrades.upgrade(home);
      if (json) output.json(report);
      else printReport(report, output);
    }
    return exitCodes.done;
  },
});

const SECOND_MS = 1000;

const printPlan = (plan: UpgradePlan, output: Output): void => {
  const { from, to, steps, copyBytes, neededBytes, freeBytes, estimatedMs, openTurns, problems } = plan;
  if (steps.length === 0) output.line(`The database has schema ${from}, which is that of this Hearth.`);
  else
    output.facts([
      ["schema", `${from} now, ${to} after the update`],
      ["steps", steps.join(", ")],
      ["copy", `${formatSize(copyBytes)} in the folder copies`],
      ["disk", `${formatSize(neededBytes)} needed, ${formatSize(freeBytes)} free`],
      ["time", `about ${Math.ceil(estimatedMs / SECOND_MS)} s`],
      ["open turns", `${openTurns}; they resume after the update`],
    ]);
  for (const problem of problems) output.failure({ message: `This prevents the update: ${problem}` });
  if (steps.length > 0 && problems.length === 0)
    output.note("Nothing was changed. To update: hearth stop, then hearth upgrade");
};

const printReport = ({ from, to, copy, checks, openTurns }: UpgradeReport, output: Output): void => {
  if (copy === null)
    return output.line(`The database has schema ${from}, which is that of this Hearth. Nothing was changed.`);
  output.line(`Updated from schema ${from} to ${to}.`);
  output.line(`  copy from before: ${safeLine(copy)}`);
  for (const { name, detail } of checks) output.line(`  ${safeLine(name)}: ${safeLine(detail)}`);
  if (openTurns > 0) output.note(`${openTurns} open turns resume at the next start.`);
  output.note("Start the house: hearth up. To go back: hearth upgrade --rollback");
};

const printRollback = ({ from, to, copy, copiedAt, lost }: RollbackPlan, output: Output): void => {
  output.line(
    `A rollback goes from schema ${from} to ${to}, to the copy made ${localTime(copiedAt)}: ${safeLine(copy)}`,
  );
  output.line(`  lost: ${toLost(lost)}`);
  output.note("Nothing was changed. To do it: hearth stop, then hearth upgrade --rollback");
};

const printRolledBack = ({ from, to, copiedAt, lost, kept }: RollbackReport, output: Output): void => {
  output.line(`Went back from schema ${from} to ${to}, to the copy made ${localTime(copiedAt)}.`);
  output.line(`  lost: ${toLost(lost)}`);
  output.line(`  replaced database: ${safeLine(kept)}`);
  output.note(
    "Start the Hearth from before the update: a newer one updates the database again. The house starts on hold if anything was lost.",
  );
};

const toLost = ({ messages, events, turns }: RollbackPlan["lost"]): string =>
  `messages: ${messages}, events in all: ${events}, turns: ${turns}`;
