/** Adds, changes, tests and removes targets of backups in a running house. */
import type { SetBackupTarget } from "@hearth/protocol";
import { toKey } from "../args/key.ts";
import { UsageError } from "../args/usage-error.ts";
import { type Command, type Context, defineCommand, type Flags } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";

const NEEDS = "x on the first house";

const targetFlags = {
  every: { kind: "text", value: "INTERVAL", summary: "make a backup this often, such as 12h (default: [backup])" },
  keep: {
    kind: "number",
    value: "N",
    min: 1,
    max: 10_000,
    summary: "the number of backups of this house to keep (default: [backup])",
  },
  "keys-stdin": {
    kind: "switch",
    summary:
      "read the access key ID and the secret access key of an S3 store from stdin, one per line; Hearth stores them",
  },
} as const satisfies Flags;

interface TargetFlags {
  readonly every: string | undefined;
  readonly keep: number | undefined;
  readonly "keys-stdin": boolean;
}

const readTarget = async (
  { output, terminal }: Pick<Context, "output" | "terminal">,
  { every, keep, "keys-stdin": hasKeys }: TargetFlags,
): Promise<SetBackupTarget> => {
  const schedule = { ...(every === undefined ? {} : { every }), ...(keep === undefined ? {} : { keep }) };
  if (!hasKeys) return schedule;
  if (terminal.stdinIsTerminal) output.note("Type the access key ID, Enter, the secret access key, Enter and Ctrl-D.");
  const lines = (await terminal.readInput()).trim().split(/\r?\n/);
  const [accessKeyId = "", secretAccessKey = ""] = lines;
  if (lines.length !== 2)
    throw new UsageError("stdin does not contain two lines.", "Pass the access key ID and the secret access key.");
  return { ...schedule, accessKeyId: toKey(accessKeyId), secretAccessKey: toKey(secretAccessKey) };
};

const add: Command = defineCommand({
  summary: "Adds a backup target in a store or on another machine",
  needs: NEEDS,
  args: [{ name: "NAME" }, { name: "ADDRESS" }],
  flags: targetFlags,
  details: [
    "ADDRESS is s3://BUCKET/PREFIX?endpoint=URL&region=REGION, sftp://USER@HOST/FOLDER?identity_file=/PATH or file:///FOLDER.",
    "The target is written to hearth.toml, under [backup.targets.NAME], and applies at once. Try it: hearth backup test NAME",
    "Keys from stdin are stored in the home's keys/ folder. To restore on a new machine, you need them: keep a copy elsewhere.",
  ].join("\n"),
  examples: [
    "hearth backup add offsite 's3://house-backups/home?endpoint=https://s3.example.com&region=eu-central-1' --keys-stdin < keys.txt",
    "hearth backup add nas 'sftp://house@nas/srv/hearth?identity_file=/home/me/.ssh/backup' --every 12h --keep 14",
  ],
  async run(context, flags, [name = "", address = ""]) {
    const { connect, json, output } = context;
    const client = await connect();
    if ((await client.backups()).some(({ target }) => target === name))
      throw new UsageError(
        `There already is a target ${name}.`,
        `Change it: hearth backup edit ${name}, or remove it first: hearth backup remove ${name}`,
      );
    const target = { to: address, ...(await readTarget(context, flags)) };
    const targets = await (await client.backupTargets()).set(name, target);
    if (json) output.json(targets.find((row) => row.target === name));
    else output.line(`Added the target ${safeLine(name)}. The first backup begins within a minute.`);
    return exitCodes.done;
  },
});

const edit: Command = defineCommand({
  summary: "Changes the interval, the number or the keys of a target",
  needs: NEEDS,
  args: [{ name: "NAME" }],
  flags: targetFlags,
  details: "To change the address, remove the target and add it again. The backups there stay.",
  examples: ["hearth backup edit nas --every 1d --keep 30", "hearth backup edit offsite --keys-stdin < keys.txt"],
  async run(context, flags, [name = ""]) {
    const { connect, json, output } = context;
    const change = await readTarget(context, flags);
    if (Object.keys(change).length === 0)
      throw new UsageError("Nothing to change.", "Give --every, --keep or --keys-stdin.");
    const targets = await (await (await connect()).backupTargets()).set(name, change);
    if (json) output.json(targets.find(({ target }) => target === name));
    else output.line(`Changed the target ${safeLine(name)}.`);
    return exitCodes.done;
  },
});

const test: Command = defineCommand({
  summary: "Writes a small object to a target, reads it back and deletes it",
  needs: NEEDS,
  args: [{ name: "NAME" }],
  flags: {},
  details: "Exits with 1 if the target fails.",
  examples: ["hearth backup test nas", "hearth backup test offsite --json"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const outcome = await (await (await connect()).backupTargets()).test(name);
    if (json) output.json(outcome);
    else output.line(`${outcome.ok ? "works" : "failed"}: ${safeLine(outcome.detail)}`);
    return outcome.ok ? exitCodes.done : exitCodes.failed;
  },
});

const remove: Command = defineCommand({
  summary: "Removes a target from the config file. The backups there stay",
  needs: NEEDS,
  args: [{ name: "NAME" }],
  flags: {},
  examples: ["hearth backup remove nas"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    await (await (await connect()).backupTargets()).remove(name);
    if (json) output.json({ removed: name });
    else output.line(`Removed the target ${safeLine(name)}. The backups there stay.`);
    return exitCodes.done;
  },
});

export const targetVerbs = { add, edit, test, remove };
