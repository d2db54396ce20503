/** `hearth backup`: makes, lists and verifies backups of a home, also while its house runs. */
import { stat } from "node:fs/promises";
import type { BackupState, SettingValue } from "@hearth/protocol";
import {
  type BackupReport,
  type BackupSummary,
  findBackupLocation,
  loadBackups,
  readIdentity,
  type Verified,
} from "../at-rest/backups-at-rest.ts";
import { UsageError } from "../args/usage-error.ts";
import { targetVerbs } from "./backup-targets.ts";
import { type Context, defineCommand, type Flags, type Group } from "../command.ts";
import { countOf } from "../show/count.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatSize } from "../show/size.ts";
import { localTime } from "../show/time.ts";

const DEFAULT_LOCATION = "default: [backup] of hearth.toml, or HOME-backups beside the home";
const MAX_KEEP = 10_000;

const sourceFlag = {
  from: {
    kind: "text",
    value: "DIR|FILE|TARGET",
    summary: `a folder of backups, a backup file, or a backup target (${DEFAULT_LOCATION})`,
  },
} as const satisfies Flags;

/** The flag for the secret key of an encrypted backup. */
export const identityFlag = {
  identity: { kind: "text", value: "FILE", summary: "the secret key of an encrypted backup, as age-keygen wrote it" },
} as const satisfies Flags;

const numberFlag = {
  number: { kind: "number", value: "N", min: 1, max: 999_999_999, summary: "only this backup (default: all)" },
} as const satisfies Flags;

const make = defineCommand({
  summary: "Makes a backup, also while the house runs",
  needs: "access to this machine",
  flags: {
    to: {
      kind: "text",
      value: "DIR|FILE|TARGET",
      summary: `write the backup into this folder, as one new file whose name ends with .tar, or to a target elsewhere (${DEFAULT_LOCATION})`,
    },
    keep: {
      kind: "number",
      value: "N",
      min: 1,
      max: MAX_KEEP,
      summary: "keep the newest N complete backups of this house, and remove older ones (default: keep all)",
    },
    every: {
      kind: "text",
      value: "INTERVAL",
      summary: "also schedule backups of the running house into this folder, such as 1d, in [backup] of hearth.toml",
    },
    "encrypt-to": {
      kind: "text",
      value: "RECIPIENT",
      summary: "encrypt for this public key of age; several are separated by commas (default: [backup] recipients)",
    },
  },
  details: [
    "Copies the database, the blobs that it names, brains, vault, keys, the audit log's anchor and hearth.toml. Files that are already in the folder are not copied again.",
    "Every file is read back, the database and the audit log are verified, and only then does the backup count as complete.",
    "A target is an address, s3://BUCKET/PREFIX?endpoint=URL&region=REGION, sftp://USER@HOST/FOLDER or file:///FOLDER, or target:NAME for [backup.targets.NAME] of hearth.toml.",
    "A backup contains the keys of the house: protect it like the home. To restore it: hearth restore --from DIR",
  ].join("\n"),
  examples: [
    "hearth backup",
    "hearth backup --to /mnt/disk/hearth --keep 7",
    "hearth backup --to /mnt/disk/hearth --every 1d --keep 7",
    "hearth backup --to ~/hearth-monday.tar",
    "hearth backup --to sftp://house@nas/srv/hearth --keep 7",
    "hearth backup --to target:offsite",
    "hearth backup --json",
  ],
  async run(context, flags) {
    const { home, json, output } = context;
    const location = await findBackupLocation("to", flags.to, context);
    const { to } = location;
    const { backUp, backUpToFile, backupDefaults, isArchive } = await loadBackups();
    const recipients =
      flags["encrypt-to"]?.split(",") ?? location.recipients ?? (await backupDefaults(home)).recipients;
    const keep = flags.keep ?? location.keep;
    const isFile = flags.to !== undefined && !location.isTarget && isArchive(to);
    if (flags.every !== undefined) {
      if (isFile || location.isTarget)
        throw new UsageError(
          "--every needs a folder.",
          "Give a folder: hearth backup --to DIR --every 1d. For a target elsewhere: hearth backup add NAME ADDRESS --every 1d",
        );
      await schedule(context, {
        "backup.to": to,
        "backup.every": flags.every,
        ...(keep === undefined ? {} : { "backup.keep": keep }),
        ...(flags["encrypt-to"] === undefined ? {} : { "backup.recipients": [...recipients] }),
      });
    }
    if (isFile) {
      if (keep !== undefined)
        throw new UsageError(
          "--keep needs a folder.",
          "Omit --keep, or give a folder: hearth backup --to DIR --keep N",
        );
      const report = await backUpToFile({ home, file: to, recipients });
      if (json) output.json(report);
      else await printReport(report, report.file, home, output);
      return exitCodes.done;
    }
    const report = await backUp({ home, to, recipients, ...(keep === undefined ? {} : { keep }) });
    if (json) output.json(report);
    else await printReport(report, report.folder, home, output);
    return exitCodes.done;
  },
});

/** Changes `[backup]` of hearth.toml. */
const schedule = async ({ connect, json, output }: Context, values: Readonly<Record<string, SettingValue>>) => {
  const settings = await (await connect()).settings();
  await settings.edit({ values });
  if (!json)
    output.line(`Scheduled: a backup every ${safeLine(String(values["backup.every"]))}. See: hearth backup status`);
};

/** Prints a report. `location` is the folder or file of the backup. */
const printReport = async (report: BackupReport, location: string, home: string, output: Output): Promise<void> => {
  const { number: id, folder, files, bytes, added, removed, remarks } = report;
  output.line(`Backup ${id} of ${safeLine(report.house)} is complete and verified: ${safeLine(location)}`);
  const newFiles = `; new there: ${countOf(added.files, "file")}, ${formatSize(added.bytes)}`;
  output.line(`  ${countOf(files, "file")}, ${formatSize(bytes)}${location === folder ? newFiles : ""}`);
  if (report.isEncrypted) output.line("  encrypted: only the secret keys of its recipients can restore it");
  if (removed.length > 0) output.line(`  removed: backup ${removed.join(", ")}`);
  for (const remark of remarks) output.note(`warning: ${safeLine(remark)}`);
  if (/^\w+:/.test(folder)) return;
  const [homeStats, folderStats] = await Promise.all([stat(home), stat(folder)]);
  if (homeStats.dev === folderStats.dev)
    output.note(
      "The backup is on the same disk as the house. Copy it to another disk or machine, in case this disk fails.",
    );
};

const list = defineCommand({
  summary: "Lists the backups in a folder or a target",
  needs: "access to this machine",
  flags: sourceFlag,
  details: "A damaged backup is listed with the reason. To read every file: hearth backup verify",
  examples: [
    "hearth backup list",
    "hearth backup list --from /mnt/disk/hearth",
    "hearth backup list --from target:offsite",
    "hearth backup list --json",
  ],
  async run(context, flags) {
    const { json, output } = context;
    const { to: folder } = await findBackupLocation("from", flags.from, context);
    const backups = await (await loadBackups()).summariseBackups(folder, context.home);
    if (json) output.json(backups);
    else
      output.table(
        ["NUMBER", "MADE", "HOUSE", "FILES", "SIZE", "STATE"],
        backups.map(toRow),
        `There are no backups in ${safeLine(folder)}.`,
      );
    return exitCodes.done;
  },
});

const toRow = ({
  number: id,
  at,
  house,
  isEncrypted,
  files,
  bytes,
  state,
  problem,
}: BackupSummary): readonly string[] => [
  String(id),
  at === undefined ? "" : localTime(at),
  isEncrypted === true ? "(encrypted)" : (house ?? ""),
  files === undefined ? "" : String(files),
  bytes === undefined ? "" : formatSize(bytes),
  problem === undefined ? state : `${state}: ${problem}`,
];

const verify = defineCommand({
  summary: "Reads every file of the backups and compares it with its hash",
  needs: "access to this machine",
  flags: { ...sourceFlag, ...numberFlag, ...identityFlag },
  details:
    "Also checks the pages of the copied database, and its audit log up to the anchor. Exits with 1 if a backup is damaged.",
  examples: ["hearth backup verify", "hearth backup verify --number 3", "hearth backup verify --json"],
  async run(context, flags) {
    const { json, output } = context;
    const { to: folder } = await findBackupLocation("from", flags.from, context);
    const reports = await (
      await loadBackups()
    ).verifyBackups(folder, flags.number, await readIdentity(flags.identity, context), context.home);
    if (json) output.json(reports);
    else {
      if (reports.length === 0) output.note(`There are no backups in ${safeLine(folder)}.`);
      for (const backup of reports) printVerified(backup, output);
    }
    return reports.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed;
  },
});

const status = defineCommand({
  summary: "Shows the state of scheduled backups",
  needs: "x on the first house",
  flags: {},
  details: "Lists the places of [backup] in hearth.toml. Exits with 1 if a backup is late or failed.",
  examples: ["hearth backup status", "hearth backup status --json"],
  async run({ connect, json, output }) {
    const targets = await (await connect()).backups();
    if (json) output.json(targets);
    else
      output.table(
        ["TARGET", "TO", "LAST", "NEXT", "STATE"],
        targets.map(({ target, to, last, nextAt, ...state }) => [
          target ?? "",
          safeLine(to),
          last === undefined ? "" : `${last.number}, ${localTime(last.at)}`,
          nextAt === undefined ? "" : localTime(nextAt),
          stateOf(state),
        ]),
        "The house makes no backups itself. Add a target: hearth backup add NAME ADDRESS, or a folder to hearth.toml, under [backup].",
      );
    return targets.some(({ isLate, problem }) => isLate || problem !== undefined) ? exitCodes.failed : exitCodes.done;
  },
});

const stateOf = ({ isRunning, isLate, problem }: Pick<BackupState, "isRunning" | "isLate" | "problem">): string => {
  if (isRunning) return "running";
  if (problem !== undefined) return `failed: ${safeLine(problem)}`;
  return isLate ? "late" : "on time";
};

/** Maximum number of problems that are printed. `--json` has all of them. */
const MAX_PRINTED = 20;

export const printVerified = ({ number: id, ok, isEncrypted, problems }: Verified, output: Output): void => {
  output.line(`backup ${id}: ${ok ? "intact" : "damaged"}`);
  if (isEncrypted === true) output.note("It is encrypted: to read its contents too, add --identity FILE");
  for (const { path, fault } of problems.slice(0, MAX_PRINTED)) output.line(`  ${safeLine(path)}: ${safeLine(fault)}`);
  if (problems.length > MAX_PRINTED) output.line(`  and ${problems.length - MAX_PRINTED} more (--json)`);
};

export const backup: Group = {
  kind: "group",
  summary: "Makes, lists and verifies backups, and manages their targets",
  verbs: { list, verify, status, ...targetVerbs },
  defaultCommand: make,
};
