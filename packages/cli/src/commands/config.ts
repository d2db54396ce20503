/** `hearth config`: shows and changes single values of hearth.toml in a running house. */
import type { Setting, SettingValue } from "@hearth/protocol";
import { UsageError } from "../args/usage-error.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

const NEEDS = "x on the first house";

const formatValue = (value: SettingValue | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

const printSettings = ({ json, output }: Context, settings: readonly Setting[]): void => {
  if (json) return output.json(settings);
  output.table(
    ["SETTING", "VALUE", "DEFAULT", "LINE", "APPLIES"],
    settings.map(({ key, value, default: fallback, line, appliesNow }) => [
      key,
      formatValue(value),
      formatValue(fallback),
      line === undefined ? "" : String(line),
      appliesNow ? "at once" : "after a restart",
    ]),
    "There are no settings.",
  );
};

const list = defineCommand({
  summary: "Lists settings with their values and defaults",
  needs: NEEDS,
  args: [{ name: "PREFIX", optional: true }],
  flags: {},
  examples: ["hearth config list", "hearth config list cells", "hearth config list --json"],
  async run(context, _flags, [prefix = ""]) {
    const settings = await (await (await context.connect()).settings()).list();
    printSettings(
      context,
      settings.filter(({ key }) => key.startsWith(prefix)),
    );
    return exitCodes.done;
  },
});

/** Parses a value as in the file, such as `3`, `true` or `["a"]`. Anything else is a text. */
const toValue = (text: string): SettingValue => {
  if (/^(true|false|-?\d+(\.\d+)?)$/.test(text)) return JSON.parse(text) as number | boolean;
  if (!text.startsWith("[")) return text;
  try {
    return JSON.parse(text) as string[];
  } catch {
    throw new UsageError(`${text} is not a list.`, 'Write a list as in the file: ["one", "two"]');
  }
};

const set = defineCommand({
  summary: "Changes settings in hearth.toml",
  needs: NEEDS,
  args: [{ name: "SETTING=VALUE", rest: true }],
  flags: {},
  details: [
    "Changes all of them in one edit, or none. Comments and the order of the file stay.",
    "Do not set the key of a service as a value: store it with `hearth secret set NAME`, and refer to it as secret:NAME.",
  ].join("\n"),
  examples: [
    "hearth config set cells.max_open=8 budget.day=5",
    "hearth config set search.kind=brave search.api_key=secret:BRAVE",
  ],
  async run(context, _flags, pairs) {
    const values = pairs.map((pair) => {
      const separatorIndex = pair.indexOf("=");
      if (separatorIndex > 0) return [pair.slice(0, separatorIndex), toValue(pair.slice(separatorIndex + 1))] as const;
      throw new UsageError(`${pair} has no value.`, `Write ${pair}=VALUE, or remove it: hearth config unset ${pair}`);
    });
    return edit(context, Object.fromEntries(values));
  },
});

const unset = defineCommand({
  summary: "Removes settings from hearth.toml, so that their defaults apply",
  needs: NEEDS,
  args: [{ name: "SETTING", rest: true }],
  flags: {},
  examples: ["hearth config unset cells.max_open"],
  run: (context, _flags, keys) => edit(context, Object.fromEntries(keys.map((key) => [key, null]))),
});

const edit = async (context: Context, values: Readonly<Record<string, SettingValue | null>>): Promise<ExitCode> => {
  const settings = await (await (await context.connect()).settings()).edit({ values });
  const changedSettings = settings.filter(({ key }) => Object.hasOwn(values, key));
  printSettings(context, changedSettings);
  if (changedSettings.some(({ appliesNow }) => !appliesNow))
    context.output.note("Restart the house to apply it: hearth stop, then hearth up");
  return exitCodes.done;
};

export const config: Group = {
  kind: "group",
  summary: "Shows and changes settings of hearth.toml",
  verbs: { list, set, unset },
};
