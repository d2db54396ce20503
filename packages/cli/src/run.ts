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
  const isHomeNamed = words.some((word) => /^--home(=|$)/.test(word));
  let home: string | undefined;
  let path = "hearth";
  try {
    const { name, leadingFlags, followingWords } = splitAtName(words);
    if (name === undefined && leadingFlags.includes("--version")) return printText(output, await readVersion());
    if (name === undefined) return await help([], leadingFlags, output);
    if (name === "help") return await help(followingWords, leadingFlags, output);
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (entry === undefined) throw unknownCommandError("command", name, Object.keys(commands), "hearth --help");
    path = `hearth ${name}`;
    const definition = await entry.load();
    let command: Command;
    let commandWords = [...leadingFlags, ...followingWords];
    if (definition.kind === "group") {
      const verbLine = splitAtName(followingWords);
      const hasVerb = verbLine.name !== undefined && verbLine.leadingFlags.every(isGlobalFlag);
      if (definition.defaultCommand !== undefined && !hasVerb && !isHelp(commandWords))
        command = definition.defaultCommand;
      else if (verbLine.name === undefined) {
        if (isHelp(commandWords)) return printText(output, helpOfGroup(path, definition));
        terminal.err(helpOfGroup(path, definition));
        return exitCodes.usage;
      } else {
        command = findVerb(definition, path, verbLine.name);
        path = `${path} ${verbLine.name}`;
        commandWords = [...leadingFlags, ...verbLine.leadingFlags, ...verbLine.followingWords];
      }
    } else command = definition;
    const parsedLine = parse(commandWords, command);
    if (parsedLine.global.help) return printText(output, helpOfCommand(path, command));
    home = findHome(parsedLine.global.home, terminal);
    return await command.run(
      createContext({ terminal, output, home, json: parsedLine.global.json, isHomeNamed }),
      parsedLine,
    );
  } catch (error) {
    return await reportFailure(error, {
      output,
      json,
      home,
      path,
      isHomeNamed,
      elsewhere: readCredentials(terminal).url,
    });
  }
};

interface SplitLine {
  /** The first word that is not a flag. */
  readonly name: string | undefined;
  /** Flags before the name of the command. Only global flags are valid there. */
  readonly leadingFlags: readonly string[];
  readonly followingWords: readonly string[];
}

const splitAtName = (words: readonly string[]): SplitLine => {
  let index = 0;
  while (words[index]?.startsWith("-") === true) index += words[index] === "--home" ? 2 : 1;
  return { name: words[index], leadingFlags: words.slice(0, index), followingWords: words.slice(index + 1) };
};

/** Whether a word before a verb is a global flag or its value. */
const isGlobalFlag = (word: string): boolean => !word.startsWith("-") || /^(-h|--(json|help|home(=.*)?))$/.test(word);

const isHelp = (words: readonly string[]): boolean => words.includes("--help") || words.includes("-h");

const printText = (output: Output, text: string): ExitCode => {
  output.line(text.trimEnd());
  return exitCodes.done;
};

/** Runs `hearth help`, for example `hearth help agent add`. */
const help = async (topic: readonly string[], flags: readonly string[], output: Output): Promise<ExitCode> => {
  const { args } = parse([...flags, ...topic], { flags: {}, args: [{ name: "COMMAND", optional: true, rest: true }] });
  const [name, verb] = args;
  if (name === undefined) return printText(output, helpOfAll(commands));
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw unknownCommandError("command", name, Object.keys(commands), "hearth --help");
  const definition = await entry.load();
  const path = `hearth ${name}`;
  if (definition.kind === "command") return printText(output, helpOfCommand(path, definition));
  return printText(
    output,
    verb === undefined
      ? helpOfGroup(path, definition)
      : helpOfCommand(`${path} ${verb}`, findVerb(definition, path, verb)),
  );
};

const findVerb = (group: Group, path: string, verb: string): Command => {
  const command = Object.hasOwn(group.verbs, verb) ? group.verbs[verb] : undefined;
  if (command === undefined) throw unknownCommandError(`"${path}"`, verb, Object.keys(group.verbs), `${path} --help`);
  return command;
};

const unknownCommandError = (kind: string, name: string, names: readonly string[], hint: string): UsageError =>
  new UsageError(
    `${kind === "command" ? "Unknown command" : `${kind} has no command`} "${name}".${didYouMean(nearest(name, names))}`,
    `Commands: ${names.join(", ")}. For help: ${hint}`,
  );

interface ContextOptions {
  readonly terminal: Terminal;
  readonly output: Output;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly isHomeNamed: boolean;
  readonly json: boolean;
}

const createContext = ({ isHomeNamed, ...context }: ContextOptions): Context => {
  const { terminal, home } = context;
  const { url, key } = readCredentials(terminal);
  return {
    ...context,
    elsewhere: url,
    connect: () => connect({ terminal, home, url, key, isHomeNamed }),
  };
};

interface FailureContext {
  readonly output: Output;
  readonly json: boolean;
  readonly home: string | undefined;
  readonly path: string;
  readonly isHomeNamed: boolean;
  readonly elsewhere: string | undefined;
}

interface Failure {
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

const reportFailure = async (error: unknown, context: FailureContext): Promise<ExitCode> => {
  const { exit, ...failure } = await toFailure(error, context);
  context.output.failure(failure);
  if (context.json) context.output.json({ error: failure });
  return exit;
};

const toFailure = async (error: unknown, { home, path, isHomeNamed, elsewhere }: FailureContext): Promise<Failure> => {
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
    const hint = isHomeNamed ? `Start it: hearth up --home ${home}` : "Start it: hearth up";
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

const readVersion = async (): Promise<string> => {
  const file: { readonly version: string } = await Bun.file(new URL("../package.json", import.meta.url)).json();
  return `hearth ${file.version}`;
};
