/** Formats the help of all commands, a group and one command. */
import type { Argument, Command, Flag, Flags, Group } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { globalFlags } from "./args/parse.ts";

export const helpOfAll = (commands: Readonly<Record<string, { readonly summary: string }>>): string =>
  [
    "Hearth: a home for your agents.",
    "",
    "Usage: hearth COMMAND [flags]",
    "",
    ...formatColumns(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    "",
    "Flags of every command:",
    ...formatColumns(toFlagRows(globalFlags)),
    "",
    "Environment variables:",
    ...formatColumns([
      ["HEARTH_KEY", "act as the agent of this key instead of the owner of the home"],
      ["HEARTH_URL", "use the house at this address, with that key"],
    ]),
    "",
    "Exit codes:",
    ...exitLines,
    "",
    "Examples:",
    "  hearth up                      start the house and print a login link",
    '  hearth chat -m "Good morning"  send a message to your agent',
    "  hearth chat --help             show a command's help, with examples",
    "",
  ].join("\n");

/** The lines about exit codes. The codes of the launcher, 10 to 13, come from scripts/setup.sh. */
const exitLines: readonly string[] = [
  `  ${exitCodes.done} done, ${exitCodes.failed} failed, ${exitCodes.usage} usage error, ${exitCodes.notRunning} not running, ${exitCodes.notAllowed} not allowed`,
  "  10 Node.js or npm missing, 11 Node.js too old, 12 no network for the setup, 13 setup failed",
  `  ${exitCodes.portTaken} port taken, ${exitCodes.homeReadOnly} home not writable, ${exitCodes.homeForeign} folder is not a Hearth home, ${exitCodes.homeInUse} home in use, ${exitCodes.configInvalid} config invalid`,
];

export const helpOfGroup = (path: string, { summary, verbs, defaultCommand }: Group): string =>
  [
    `${summary}.`,
    "",
    "Usage:",
    ...formatColumns([
      ...(defaultCommand === undefined ? [] : [[usageOf(path, defaultCommand), defaultCommand.summary] as const]),
      ...Object.entries(verbs).map(
        ([verb, command]) => [usageOf(`${path} ${verb}`, command), command.summary] as const,
      ),
    ]),
    ...(defaultCommand === undefined ? [] : ["", ...describeCommand(defaultCommand)]),
    "",
    "Examples:",
    ...[...(defaultCommand === undefined ? [] : [defaultCommand]), ...Object.values(verbs)].flatMap(({ examples }) =>
      examples.slice(0, 1).map((example) => `  ${example}`),
    ),
    "",
    `More: ${path} VERB --help`,
    "",
  ].join("\n");

/** Returns the lines about a command's purpose, permission and flags. */
const describeCommand = ({ needs, details, flags }: Command): readonly string[] => [
  `Needs: ${needs}`,
  ...(details === undefined ? [] : ["", details]),
  "",
  "Flags:",
  ...formatColumns([...toFlagRows(flags), ...toFlagRows(globalFlags)]),
];

export const helpOfCommand = (path: string, command: Command): string =>
  [
    `${command.summary}.`,
    "",
    `Usage: ${usageOf(path, command)}`,
    ...describeCommand(command),
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");

const usageOf = (path: string, { args, flags }: Command): string =>
  [path, ...args.map(formatArgument), ...(Object.keys(flags).length === 0 ? [] : ["[flags]"])].join(" ");

const formatArgument = ({ name, optional, rest }: Argument): string => {
  const text = rest === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : text;
};

const toFlagRows = (flags: Flags): readonly (readonly [string, string])[] =>
  Object.entries(flags).map(([name, flag]) => [formatFlag(name, flag), flag.summary]);

const formatFlag = (name: string, flag: Flag): string => {
  const flagName = flag.short === undefined ? `--${name}` : `-${flag.short}, --${name}`;
  return flag.kind === "switch" ? flagName : `${flagName} ${flag.value}`;
};

const formatColumns = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, description]) => `  ${term.padEnd(width)}  ${description}`);
};
