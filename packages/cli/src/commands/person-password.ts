/**
 * `hearth person password`: sets a password, read from the terminal, stdin or a file, never from an
 * argument.
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MIN_PASSWORD_LENGTH } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { type Context, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { UsageError } from "../args/usage-error.ts";
import { describeEnded } from "./session.ts";

export const password = defineCommand({
  summary: "Sets a person's password and logs them out everywhere",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PERSON", optional: true }],
  flags: { "password-file": { kind: "text", value: "FILE", summary: "read the password from this file of one line" } },
  details: [
    "Without PERSON, sets your own. The password is read from the terminal, stdin or a file, never from an argument,",
    "which other users of the machine could see.",
  ].join("\n"),
  examples: [
    "hearth person password",
    "hearth person password ana --password-file ana.txt",
    "hearth person password < password.txt",
  ],
  async run(context, { "password-file": file }, [personName]) {
    const { connect, json, output } = context;
    const client = await connect();
    const { id, handle } =
      personName === undefined ? (await client.me()).agent : await client.agents.get(withoutAt(personName));
    const { needsCurrent } = await client.passwords.show(id);
    const currentPassword = needsCurrent ? await askCurrent(context) : undefined;
    const endedCount = await client.passwords.set(id, {
      password: await readPassword(context, file),
      ...(currentPassword === undefined ? {} : { current: currentPassword }),
    });
    if (json) output.json({ agent: id, ended: endedCount });
    else output.line(`@${safeLine(handle)} has a new password; ${describeEnded(endedCount)}`);
    return exitCodes.done;
  },
});

const askCurrent = ({ terminal }: Context): Promise<string> => {
  if (terminal.stdinIsTerminal) return terminal.readSecret("Your current password: ");
  throw new UsageError(
    "Changing a password needs the current password.",
    "Run the command at a terminal, or on the house's machine without HEARTH_KEY.",
  );
};

const readPassword = async ({ terminal }: Context, file: string | undefined): Promise<string> => {
  if (file !== undefined) return parseSingleLine(await readFile(resolve(terminal.cwd, file), "utf8"), file);
  if (!terminal.stdinIsTerminal) return parseSingleLine(await terminal.readInput(), "stdin");
  const typedPassword = requireLength(await terminal.readSecret("New password: "));
  if ((await terminal.readSecret("Repeat it: ")) === typedPassword) return typedPassword;
  throw new UsageError("The two inputs differ. Nothing was changed.");
};

const parseSingleLine = (text: string, sourceName: string): string => {
  const [line = "", ...otherLines] = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (otherLines.length > 0) throw new UsageError(`${safeLine(sourceName)} has more than one line.`);
  return requireLength(line);
};

/** Returns the password if it is long enough. The error for a short one never repeats it. */
const requireLength = (text: string): string => {
  if (text.length >= MIN_PASSWORD_LENGTH) return text;
  throw new UsageError(
    `A password has at least ${MIN_PASSWORD_LENGTH} characters.`,
    "Use several words: they are easy to remember.",
  );
};
