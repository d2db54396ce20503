/** `hearth provider`: manages model providers, lists their models and tests them. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { toKey } from "../args/key.ts";
import { nearest } from "@hearth/protocol/nearest";
import { safeLine } from "../show/safe-text.ts";
import { formatDuration } from "../show/time.ts";
import { UsageError, didYouMean } from "../args/usage-error.ts";

const list = defineCommand({
  summary: "Lists model providers",
  needs: "x on the first house, or the right providers",
  flags: {},
  examples: ["hearth provider list", "hearth provider list --json"],
  async run({ connect, json, output }) {
    const providers = await (await connect()).providers.list();
    if (json) output.json(providers);
    else {
      output.table(
        ["NAME", "KIND", "READY", "FROM", "SUGGESTED MODEL", "DETAIL"],
        providers.map(({ name, kind, ready, source, suggestedModel, detail }) => [
          name,
          kind,
          ready ? "yes" : "no",
          source,
          suggestedModel ?? "",
          detail,
        ]),
        "There are no providers. Add one: hearth provider add NAME --kind KIND",
      );
    }
    return exitCodes.done;
  },
});

const discover = defineCommand({
  summary: "Finds model servers on this machine",
  needs: "x on the first house, or the right providers",
  flags: {},
  details: "Lists servers that answer and are not configured yet, such as Ollama and LM Studio.",
  examples: ["hearth provider found", "hearth provider found --json"],
  async run({ connect, json, output }) {
    const servers = await (await connect()).providers.found();
    if (json) output.json(servers);
    else {
      output.table(
        ["NAME", "KIND", "ADDRESS", "MODELS"],
        servers.map(({ name, kind, baseUrl, models }) => [name, kind, baseUrl, models.join(", ")]),
        "No new model servers found.",
      );
      const [server] = servers;
      if (server !== undefined)
        output.note(`To use it: hearth provider add ${server.name} --kind ${server.kind} --base-url ${server.baseUrl}`);
    }
    return exitCodes.done;
  },
});

const models = defineCommand({
  summary: "Lists the models of a provider",
  needs: "x on the first house, or the right providers",
  args: [{ name: "NAME" }],
  flags: {},
  details: "Names are the provider's own. An agent's model is written PROVIDER/MODEL.",
  examples: ["hearth provider models anthropic", "hearth provider models den --json"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const names = await (await connect()).providers.models(name);
    if (json) output.json(names);
    else {
      for (const model of names) output.line(safeLine(model));
      if (names.length === 0) output.note(`"${safeLine(name)}" lists no models.`);
    }
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Adds a provider to the config file",
  needs: "x on the first house, or the right providers",
  args: [{ name: "NAME" }],
  flags: {
    kind: {
      kind: "text",
      value: "KIND",
      summary: "the API that it speaks, such as anthropic or openai (default: NAME)",
    },
    "api-key": {
      kind: "text",
      value: "REFERENCE",
      summary: "where the key is stored: secret:NAME, env:NAME or file:PATH; never the key itself",
    },
    "key-stdin": { kind: "switch", summary: "read the key from stdin; Hearth stores it" },
    "base-url": { kind: "text", value: "URL", summary: "the address of a proxy or of your own server" },
  },
  details: [
    "A key from stdin is stored only in the home's keys/ folder.",
    "A vault secret also needs a grant for the host: hearth secret grant NAME --providers --host HOST",
  ].join("\n"),
  examples: [
    "hearth provider add anthropic --api-key env:ANTHROPIC_API_KEY",
    "hearth provider add anthropic --key-stdin < key.txt",
    "hearth provider add den --kind openai --base-url http://127.0.0.1:11434/v1",
  ],
  async run(
    { connect, json, output, terminal },
    { kind, "api-key": apiKey, "key-stdin": readsKey, "base-url": baseUrl },
    [name = ""],
  ) {
    if (apiKey !== undefined && !/^(env|file|secret):./.test(apiKey)) {
      throw new UsageError(
        "--api-key takes a reference, not the key itself.",
        "Store the key in the vault: hearth secret set NAME, then --api-key secret:NAME. Or refer to the environment or a file: env:NAME, file:PATH",
      );
    }
    if (apiKey !== undefined && readsKey)
      throw new UsageError("--api-key and --key-stdin cannot be combined. Give one of them.");
    const client = await connect();
    if (readsKey && terminal.stdinIsTerminal) output.note("Paste the key, then press Enter and Ctrl-D.");
    const provider = await client.providers.create({
      name,
      kind: kind ?? name,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(readsKey ? { key: toKey(await terminal.readInput()) } : {}),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
    if (json) output.json(provider);
    else {
      output.line(`added ${safeLine(provider.name)}${provider.ready ? "" : `: ${safeLine(provider.detail)}`}`);
      const model = provider.suggestedModel === undefined ? " --model MODEL" : "";
      if (provider.ready) output.note(`To test it: hearth provider test ${provider.name}${model}`);
    }
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes the address or the retries of a provider",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: {
    "base-url": { kind: "text", value: "URL", summary: 'the new address; "" is the default of the vendor' },
    retries: { kind: "text", value: "COUNT", summary: 'retries after a transient failure, 0 to 3; "" is the default' },
  },
  details: "Later calls send the stored key to the new address.",
  examples: ["hearth provider edit den --base-url http://127.0.0.1:8080/v1", "hearth provider edit den --retries 1"],
  async run({ connect, json, output }, { "base-url": baseUrl, retries }, [name = ""]) {
    if (baseUrl === undefined && retries === undefined)
      throw new UsageError("Nothing to change: no value was given.", "Give a value: --base-url or --retries");
    if (retries !== undefined && !/^[0-3]?$/.test(retries))
      throw new UsageError(`--retries is ${retries}, which is not a number from 0 to 3.`);
    const provider = await (
      await connect()
    ).providers.edit(name, {
      ...(baseUrl === undefined ? {} : { baseUrl: baseUrl === "" ? null : baseUrl }),
      ...(retries === undefined ? {} : { retries: retries === "" ? null : Number(retries) }),
    });
    if (json) output.json(provider);
    else output.line(`changed ${safeLine(provider.name)}`);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a provider from the config file, and its stored key",
  needs: "x on the first house, or the right providers",
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
  summary: "Tests a provider with one small model call",
  needs: "x on the first house, or the right providers",
  args: [{ name: "NAME" }],
  flags: {
    model: {
      kind: "text",
      value: "MODEL",
      summary: "the provider's name for the model (default: the suggested model)",
    },
  },
  details: "Exits with 1 when the call fails.",
  examples: ["hearth provider test anthropic", "hearth provider test den --model llama3.3"],
  async run({ connect, json, output }, flags, [name = ""]) {
    const client = await connect();
    const providers = await client.providers.list();
    const testedProvider = providers.find((candidate) => candidate.name === name);
    if (testedProvider === undefined) {
      const names = providers.map((candidate) => candidate.name);
      throw new UsageError(
        `There is no provider "${name}".${didYouMean(nearest(name, names))}`,
        `Providers: ${names.join(", ")}. To add one: hearth provider add NAME --kind KIND`,
      );
    }
    const model = flags.model ?? testedProvider.suggestedModel;
    if (model === undefined) {
      throw new UsageError(
        `Provider "${name}" has no suggested model.`,
        `Give one: hearth provider test ${name} --model MODEL`,
      );
    }
    // A suggested model has the form PROVIDER/MODEL.
    const result = await client.providers.test(
      name,
      model.startsWith(`${name}/`) ? model.slice(name.length + 1) : model,
    );
    if (json) output.json({ ...result, model });
    else
      output.line(
        `${result.ok ? "ok" : output.style.red("FAIL")}  ${safeLine(model)}: ${safeLine(result.detail)} (${formatDuration(result.durationMs)})`,
      );
    return result.ok ? exitCodes.done : exitCodes.failed;
  },
});

export const provider: Group = {
  kind: "group",
  summary: "Manages model providers",
  verbs: { list, found: discover, add, edit, remove, models, test },
};
