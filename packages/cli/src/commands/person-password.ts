/** A person's password. It is asked for at the terminal, or read from stdin or a file, and never an argument. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { MIN_PASSWORD_LENGTH } from "@hearth/protocol";
import { withoutAt } from "../agent-list.ts";
import { type Context, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { tellEnded } from "./session.ts";

export const password = defineCommand({
  summary: "Sets a person's password, and logs them out everywhere",
  needs: "x on the agent's house, or to be it",
  args: [{ name: "PERSON", optional: true }],
  flags: { "password-file": { kind: "text", value: "FILE", summary: "a file that holds it, on one line" } },
  details: [
    "Yours, unless a person is named. It is asked for at the terminal, or read from stdin or a file: never an argument,",
    "which others on the machine could see.",
  ].join("\n"),
  examples: [
    "hearth person password",
    "hearth person password ana --password-file ana.txt",
    "hearth person password < password.txt",
  ],
  async run(context, { "password-file": file }, [named]) {
    const { connect, json, output } = context;
    const client = await connect();
    const { id, handle } = named === undefined ? (await client.me()).agent : await client.agents.get(withoutAt(named));
    const { needsCurrent } = await client.passwords.show(id);
    const current = needsCurrent ? await askCurrent(context) : undefined;
    const ended = await client.passwords.set(id, {
      password: await readPassword(context, file),
      ...(current === undefined ? {} : { current }),
    });
    if (json) output.json({ agent: id, ended });
    else output.line(`@${safeLine(handle)} has a new password; ${tellEnded(ended)}`);
    return exitCodes.done;
  },
});

const askCurrent = ({ terminal }: Context): Promise<string> => {
  if (terminal.stdinIsTerminal) return terminal.readSecret("Your password as it is: ");
  throw new UsageError(
    "Setting another password takes the one that is.",
    "Run it at a terminal; or, on the house's own machine, without HEARTH_KEY.",
  );
};

const readPassword = async ({ terminal }: Context, file: string | undefined): Promise<string> => {
  if (file !== undefined) return onlyLine(await readFile(resolve(terminal.cwd, file), "utf8"), file);
  if (!terminal.stdinIsTerminal) return onlyLine(await terminal.readInput(), "stdin");
  const first = check(await terminal.readSecret("New password: "));
  if ((await terminal.readSecret("Once more: ")) === first) return first;
  throw new UsageError("The two differ: nothing was changed.");
};

const onlyLine = (text: string, from: string): string => {
  const [line = "", ...more] = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (more.length > 0) throw new UsageError(`${safeLine(from)} holds more than one line.`);
  return check(line);
};

/** The refusal never repeats the text. */
const check = (text: string): string => {
  if (text.length >= MIN_PASSWORD_LENGTH) return text;
  throw new UsageError(
    `A password has at least ${MIN_PASSWORD_LENGTH} characters.`,
    "Several words are easy to keep in mind.",
  );
};
