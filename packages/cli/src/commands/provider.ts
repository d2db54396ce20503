/** Where models come from: listed, added, removed, tried with one small call. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { nearest } from "../nearest.ts";
import { safeLine } from "../safe-text.ts";
import { span } from "../time.ts";
import { UsageError, didYouMean } from "../usage-error.ts";

const list = defineCommand({
  summary: "Lists the providers of models",
  flags: {},
  examples: ["hearth provider list", "hearth provider list --json"],
  async run({ connect, json, output }) {
    const providers = await (await connect()).providers.list();
    if (json) output.json(providers);
    else {
      output.table(
        ["NAME", "KIND", "READY", "FROM", "SUGGESTED MODEL", "DETAIL"],
        providers.map(({ name, kind, ready, source, suggestedModel, detail }) => [
          ...[name, kind, ready ? "yes" : "no", source],
          ...[suggestedModel ?? "", detail],
        ]),
        "There are no providers. Add one: hearth provider add NAME --kind KIND",
      );
    }
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Writes a provider into the config file",
  args: [{ name: "NAME" }],
  flags: {
    kind: {
      kind: "text",
      value: "KIND",
      summary: "which wire it speaks, such as anthropic or openai (default: its name)",
    },
    "api-key": {
      kind: "text",
      value: "REFERENCE",
      summary: "where the key is: env:NAME or file:PATH, never the key itself",
    },
    "base-url": { kind: "text", value: "URL", summary: "for a proxy, or a server of your own" },
  },
  examples: [
    "hearth provider add anthropic --api-key env:ANTHROPIC_API_KEY",
    "hearth provider add den --kind openai --base-url http://127.0.0.1:11434/v1",
  ],
  async run({ connect, json, output }, { kind, "api-key": apiKey, "base-url": baseUrl }, [name = ""]) {
    if (apiKey !== undefined && !/^(env|file|secret):./.test(apiKey)) {
      throw new UsageError(
        "--api-key takes a reference and never the key itself.",
        "Put the key into the environment or a file, then: --api-key env:NAME or --api-key file:PATH",
      );
    }
    const provider = await (
      await connect()
    ).providers.create({
      name,
      kind: kind ?? name,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
    if (json) output.json(provider);
    else {
      output.line(`added ${safeLine(provider.name)}${provider.ready ? "" : `: ${safeLine(provider.detail)}`}`);
      const model = provider.suggestedModel === undefined ? " --model MODEL" : "";
      if (provider.ready) output.note(`Try it: hearth provider test ${provider.name}${model}`);
    }
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Takes a provider out of the config file",
  args: [{ name: "NAME" }],
  flags: {},
  examples: ["hearth provider remove den"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    await (await connect()).providers.remove(name);
    if (json) output.json({ removed: name });
    else output.line(`removed ${safeLine(name)}`);
    return exitCodes.done;
  },
});

const test = defineCommand({
  summary: "Makes one small real call",
  args: [{ name: "NAME" }],
  flags: { model: { kind: "text", value: "MODEL", summary: "the model's own name (default: the suggested one)" } },
  details: "Ends with 1 when the call fails.",
  examples: ["hearth provider test anthropic", "hearth provider test den --model llama3.3"],
  async run({ connect, json, output }, flags, [name = ""]) {
    const client = await connect();
    const providers = await client.providers.list();
    const known = providers.find((candidate) => candidate.name === name);
    if (known === undefined) {
      const names = providers.map((candidate) => candidate.name);
      throw new UsageError(
        `There is no provider "${name}".${didYouMean(nearest(name, names))}`,
        `There is: ${names.join(", ")}. Add one: hearth provider add NAME --kind KIND`,
      );
    }
    const model = flags.model ?? known.suggestedModel;
    if (model === undefined) {
      throw new UsageError(
        `There is no model to try with "${name}".`,
        `Name one: hearth provider test ${name} --model MODEL`,
      );
    }
    // A suggested model is written as an agent's record has it.
    const result = await client.providers.test(
      name,
      model.startsWith(`${name}/`) ? model.slice(name.length + 1) : model,
    );
    if (json) output.json({ ...result, model });
    else
      output.line(
        `${result.ok ? "ok" : output.style.red("FAIL")}  ${safeLine(model)}: ${safeLine(result.detail)} (${span(result.durationMs)})`,
      );
    return result.ok ? exitCodes.done : exitCodes.failed;
  },
});

export const provider: Group = { kind: "group", summary: "Where models come from", verbs: { list, add, remove, test } };
