/** Runs one command line and returns its exit code. Prints every failure to stderr. */
import type { Command, Context, Group } from "./command.ts";
import { commands } from "./commands.ts";
import { connect, readCredentials } from "./connect.ts";
import { type ExitCode, exitCodes, toExitCode } from "./exit-codes.ts";
import { helpOfAll, helpOfCommand, helpOfGroup } from "./help.ts";
import { findHome } from "./home.ts";
import { nearest } from "@hearth/protocol/nearest";
import { type Output, createOutput } from "./show/output.ts";
import { parse } from "./args/parse.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError, didYouMean } from "./args/usage-error.ts";

export const run = async (words: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const output = createOutput(terminal);
  const json = words.includes("--json");
  const homeFlag = words.some((word) => /^--home(=|$)/.test(word));
  let home: string | undefined;
  let path = "hearth";
  try {
    const { name, before, after } = takeName(words);
    if (name === undefined && before.includes("--version")) return say(output, await version());
    if (name === undefined) return await help([], before, output);
    if (name === "help") return await help(after, before, output);
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (entry === undefined) throw unknownCommandError("command", name, Object.keys(commands), "hearth --help");
    path = `hearth ${name}`;
    const loaded = await entry.load();
    let command: Command;
    let rest = [...before, ...after];
    if (loaded.kind === "group") {
      const inner = takeName(after);
      const namesVerb = inner.name !== undefined && inner.before.every(isGlobalFlag);
      if (loaded.defaultCommand !== undefined && !namesVerb && !isHelp(rest)) command = loaded.defaultCommand;
      else if (inner.name === undefined) {
        if (isHelp(rest)) return say(output, helpOfGroup(path, loaded));
        terminal.err(helpOfGroup(path, loaded));
        return exitCodes.usage;
      } else {
        command = findVerb(loaded, path, inner.name);
        path = `${path} ${inner.name}`;
        rest = [...before, ...inner.before, ...inner.after];
      }
    } else command = loaded;
    const parsed = parse(rest, command);
    if (parsed.global.help) return say(output, helpOfCommand(path, command));
    home = findHome(parsed.global.home, terminal);
    return await command.run(createContext({ terminal, output, home, json: parsed.global.json, homeFlag }), parsed);
  } catch (error) {
    return await fail(error, { output, json, home, path, homeFlag, elsewhere: readCredentials(terminal).url });
  }
};

interface SplitLine {
  /** The first word that is not a flag. */
  readonly name: string | undefined;
  /** Flags before the name of the command. Only global flags are valid there. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const takeName = (words: readonly string[]): SplitLine => {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += words[at] === "--home" ? 2 : 1;
  return { name: words[at], before: words.slice(0, at), after: words.slice(at + 1) };
};

/** Whether a word before a verb is a global flag or its value. */
const isGlobalFlag = (word: string): boolean => !word.startsWith("-") || /^(-h|--(json|help|home(=.*)?))$/.test(word);

const isHelp = (words: readonly string[]): boolean => words.includes("--help") || words.includes("-h");

const say = (output: Output, text: string): ExitCode => {
  output.line(text.trimEnd());
  return exitCodes.done;
};

/** Runs `hearth help`, for example `hearth help agent add`. */
const help = async (about: readonly string[], flags: readonly string[], output: Output): Promise<ExitCode> => {
  const { args } = parse([...flags, ...about], { flags: {}, args: [{ name: "COMMAND", optional: true, rest: true }] });
  const [name, verb] = args;
  if (name === undefined) return say(output, helpOfAll(commands));
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw unknownCommandError("command", name, Object.keys(commands), "hearth --help");
  const loaded = await entry.load();
  const path = `hearth ${name}`;
  if (loaded.kind === "command") return say(output, helpOfCommand(path, loaded));
  return say(
    output,
    verb === undefined ? helpOfGroup(path, loaded) : helpOfCommand(`${path} ${verb}`, findVerb(loaded, path, verb)),
  );
};

const findVerb = (group: Group, path: string, verb: string): Command => {
  const command = Object.hasOwn(group.verbs, verb) ? group.verbs[verb] : undefined;
  if (command === undefined) throw unknownCommandError(`"${path}"`, verb, Object.keys(group.verbs), `${path} --help`);
  return command;
};

const unknownCommandError = (kind: string, name: string, names: readonly string[], more: string): UsageError =>
  new UsageError(
    `${kind === "command" ? "Unknown command" : `${kind} has no command`} "${name}".${didYouMean(nearest(name, names))}`,
    `Commands: ${names.join(", ")}. For help: ${more}`,
  );

interface ContextOptions {
  readonly terminal: Terminal;
  readonly output: Output;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly homeFlag: boolean;
  readonly json: boolean;
}

const createContext = ({ homeFlag, ...context }: ContextOptions): Context => {
  const { terminal, home } = context;
  const { url, key } = readCredentials(terminal);
  return {
    ...context,
    elsewhere: url,
    connect: () => connect({ terminal, home, url, key, isHomeNamed: homeFlag }),
  };
};

interface FailureContext {
  readonly output: Output;
  readonly json: boolean;
  readonly home: string | undefined;
  readonly path: string;
  readonly homeFlag: boolean;
  readonly elsewhere: string | undefined;
}

interface Failure {
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

const fail = async (error: unknown, where: FailureContext): Promise<ExitCode> => {
  const { exit, ...failure } = await toFailure(error, where);
  where.output.failure(failure);
  if (where.json) where.output.json({ error: failure });
  return exit;
};

const toFailure = async (error: unknown, { home, path, homeFlag, elsewhere }: FailureContext): Promise<Failure> => {
  if (error instanceof UsageError) {
    return {
      exit: exitCodes.usage,
      code: "usage",
      message: error.message,
      hint: error.hint ?? `For help: ${path} --help`,
    };
  }
  const { isHearthError } = await import("@hearth/protocol");
  if (isHearthError(error, "house.unreachable") && elsewhere !== undefined) {
    const hint = "Check that HEARTH_URL is the house's address and that the house is running.";
    return { exit: exitCodes.notRunning, code: error.code, message: `No house answers at ${elsewhere}.`, hint };
  }
  if (isHearthError(error, "house.unreachable")) {
    const hint = homeFlag ? `Start it: hearth up --home ${home}` : "Start it: hearth up";
    return { exit: exitCodes.notRunning, code: error.code, message: `Hearth is not running in ${home}.`, hint };
  }
  if (isHearthError(error))
    return { exit: toExitCode(error.code), code: error.code, message: error.message, hint: error.hint };
  if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM")) {
    return {
      exit: exitCodes.notAllowed,
      code: "auth.denied",
      message: error.message,
      hint: "Run the command as the user that owns this home.",
    };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exit: exitCodes.failed, code: "house.bug", message: `The hearth command failed: ${text}` };
};

const version = async (): Promise<string> => {
  const file: { readonly version: string } = await Bun.file(new URL("../package.json", import.meta.url)).json();
  return `hearth ${file.version}`;
};
