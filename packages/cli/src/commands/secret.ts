/** Secrets: set, listed, granted and taken away. A value is asked for at the terminal or read from stdin, and never an argument. */
import {
  HttpMethod,
  type KeySourceKind,
  keySourceKinds,
  type SecretGrant,
  type SecretInfo,
  SecretUse,
  type VaultStatus,
} from "@hearth/protocol";
import { withoutAt } from "../agent-list.ts";
import { type Context, defineCommand, type Flags, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../names.ts";
import { safeLine } from "../safe-text.ts";
import { ago } from "../time.ts";
import { UsageError } from "../usage-error.ts";

const where = {
  house: { kind: "text", value: "HOUSE", summary: "whose secret it is (default: your house)" },
} as const satisfies Flags;
const input = {
  "from-stdin": { kind: "switch", summary: "reads the value from stdin, to its end, also at a terminal" },
} as const satisfies Flags;
const place = {
  agent: { kind: "text", value: "AGENT", summary: "whose requests" },
  host: {
    kind: "text",
    value: "HOST",
    summary: "to where: a host name, *. before one for all below it, or an address",
  },
} as const satisfies Flags;

const providers = {
  kind: "switch",
  summary: "instead of an agent: the providers in hearth.toml, which use it as their key at this host",
} as const satisfies Flags[string];

/** The holder that the flags name, as the API takes it. */
const holderOf = async (
  client: Awaited<ReturnType<Context["connect"]>>,
  agent: string | undefined,
  isProviders: boolean,
): Promise<SecretGrant["agent"]> => {
  if ((agent === undefined) !== isProviders)
    throw new UsageError("A grant is for one agent or for the providers: --agent A, or --providers.");
  return agent === undefined ? "providers" : (await client.agents.get(withoutAt(agent))).id;
};

const tellHolder = (agent: string | undefined): string =>
  agent === undefined ? "the providers" : `@${safeLine(withoutAt(agent))}`;

const NEVER =
  "It is asked for at the terminal, or read from stdin: never an argument, which others on the machine could see.";

const houseOf = async ({ connect }: Context, named: string | undefined) => {
  const client = await connect();
  return { client, house: named ?? (await client.me()).house.id };
};

const list = defineCommand({
  summary: "Lists secrets by name, and what they were granted for",
  needs: "x on the house",
  flags: where,
  details: "No value is ever shown.",
  examples: ["hearth secret list", "hearth secret list --json"],
  async run(context, flags) {
    const { json, output, terminal } = context;
    const { client, house } = await houseOf(context, flags.house);
    const secrets = await (await client.secrets()).list(house);
    if (json) output.json(secrets);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      const rows = await Promise.all(
        secrets.map(async ({ name, version, setAt, grants }) => [
          ...[name, String(version), ago(setAt, now)],
          (
            await Promise.all(
              grants.map(
                async (grant) =>
                  `${grant.agent === "providers" ? "providers" : await names.of(grant.agent)} ${tellTerms(grant)}`,
              ),
            )
          ).join("; "),
        ]),
      );
      output.table(
        ["NAME", "VERSION", "SET", "GRANTED"],
        rows,
        "There are no secrets. Keep one: hearth secret set NAME",
      );
    }
    return exitCodes.done;
  },
});

const set = defineCommand({
  summary: "Keeps a secret under a new name",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: { ...where, ...input },
  details: `${NEVER}\nThe config uses it as secret:NAME; an agent's requests carry it once it is granted: hearth secret grant`,
  examples: ["hearth secret set GITHUB", "hearth secret set GITHUB --from-stdin < token.txt"],
  async run(context, flags, [name = ""]) {
    const { client, house } = await houseOf(context, flags.house);
    return tellKept(
      context,
      "kept",
      await (await client.secrets()).set(house, { name, value: await readValue(context, flags["from-stdin"]) }),
    );
  },
});

const rotate = defineCommand({
  summary: "Gives a secret another value",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: { ...where, ...input },
  details: `${NEVER}\nWhat it was granted for stays.`,
  examples: ["hearth secret rotate GITHUB", "hearth secret rotate GITHUB --from-stdin < token.txt"],
  async run(context, flags, [name = ""]) {
    const { client, house } = await houseOf(context, flags.house);
    return tellKept(
      context,
      "rotated",
      await (await client.secrets()).rotate(house, name, await readValue(context, flags["from-stdin"])),
    );
  },
});

const remove = defineCommand({
  summary: "Removes a secret and all that it was granted for",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: where,
  examples: ["hearth secret remove GITHUB"],
  async run(context, flags, [name = ""]) {
    const { json, output } = context;
    const { client, house } = await houseOf(context, flags.house);
    await (await client.secrets()).remove(house, name);
    if (json) output.json({ removed: name });
    else output.line(`removed ${safeLine(name)}`);
    return exitCodes.done;
  },
});

const grant = defineCommand({
  summary: "Puts a secret into an agent's requests to a host",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: {
    ...where,
    ...place,
    providers,
    port: { kind: "number", value: "N", min: 1, max: 65_535, summary: "on this port (default: 443; 80 with --plain)" },
    method: { kind: "text", value: "METHODS", summary: "with these methods alone, such as GET,POST (default: any)" },
    as: { kind: "text", value: "USE", summary: "bearer, basic:USER or header:NAME (default: bearer)" },
    plain: { kind: "switch", summary: "over plain HTTP too, where everybody on the way can read it" },
  },
  details:
    "It is put in where the request leaves the house; the agent never has it. git over https takes it as basic:USER.",
  examples: [
    "hearth secret grant GITHUB --agent main --host api.github.com",
    "hearth secret grant GITHUB --agent main --host github.com --as basic:git",
    "hearth secret grant OPENAI --providers --host api.openai.com",
    "hearth secret grant SEARCH --agent main --host api.search.example --method GET --as header:X-Api-Key --json",
  ],
  async run(
    context,
    { house: named, agent, providers: isProviders, host, port, method, as = "bearer", plain },
    [name = ""],
  ) {
    const { json, output } = context;
    if ((agent === undefined && !isProviders) || host === undefined)
      throw new UsageError("A grant is for an agent or the providers, and for a host: --agent A --host H");
    const use = SecretUse.safeParse(as);
    if (!use.success) throw new UsageError(`--as is bearer, basic:USER or header:NAME, not "${safeLine(as)}".`);
    const methods = method === undefined ? undefined : readMethods(method);
    const { client, house } = await houseOf(context, named);
    const granted = await (
      await client.secrets()
    ).grant(house, name, {
      agent: await holderOf(client, agent, isProviders),
      ...{ host: host.toLowerCase(), as: use.data },
      ...(port === undefined ? {} : { port }),
      ...(methods === undefined ? {} : { methods }),
      ...(plain ? { plain } : {}),
    });
    if (json) output.json(granted);
    else
      output.line(
        `${tellHolder(agent)} ${agent === undefined ? "have" : "has"} ${safeLine(name)} ${tellTerms(granted)}`,
      );
    return exitCodes.done;
  },
});

const revoke = defineCommand({
  summary: "Takes a secret out of an agent's requests again",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: {
    ...where,
    ...place,
    providers,
    host: { ...place.host, summary: "only what was granted for this host (default: all)" },
  },
  examples: ["hearth secret revoke GITHUB --agent main", "hearth secret revoke GITHUB --agent main --host github.com"],
  async run(context, { house: named, agent, providers: isProviders, host }, [name = ""]) {
    const { json, output } = context;
    if (agent === undefined && !isProviders)
      throw new UsageError("Name the holder that loses it: --agent A, or --providers.");
    const { client, house } = await houseOf(context, named);
    const holder = await holderOf(client, agent, isProviders);
    const secret = (await (await client.secrets()).list(house)).find((one) => one.name === name);
    if (secret === undefined)
      throw new UsageError(`There is no secret "${safeLine(name)}".`, "List them: hearth secret list");
    const revoked = secret.grants.filter(
      (one) => one.agent === holder && (host === undefined || one.host === host.toLowerCase()),
    );
    for (const one of revoked) await (await client.secrets()).revoke(house, name, one.id);
    if (json) output.json({ revoked: revoked.map((one) => one.id) });
    else
      output.line(
        `${tellHolder(agent)} lost ${revoked.length === 1 ? "1 grant" : `${revoked.length} grants`} of ${safeLine(name)}`,
      );
    return exitCodes.done;
  },
});

const key = defineCommand({
  summary: "Shows where the key to all secrets is, or seals them with a new one",
  needs: "x on the first house",
  args: [{ name: "PLACE", optional: true }],
  flags: {},
  details: [
    `PLACE is ${keySourceKinds.join(", ")}: a file in the home; a passphrase, which is asked for at each start or stands in HEARTH_PASSPHRASE;`,
    "or the keyring of the system. All secrets are sealed anew with a new key, and the old one is forgotten.",
  ].join("\n"),
  examples: ["hearth secret key", "hearth secret key file --json"],
  async run(context, _flags, [named]) {
    const { connect, json, output } = context;
    const source = named === undefined ? undefined : readSource(named);
    const client = await connect();
    const status =
      source === undefined
        ? await (await client.secrets()).vault()
        : await (
            await client.secrets()
          ).changeKey({
            source,
            ...(source === "passphrase" ? { passphrase: await readPassphrase(context) } : {}),
          });
    if (json) output.json(status);
    else output.line(tellStatus(status));
    return status.state === "locked" ? exitCodes.failed : exitCodes.done;
  },
});

/** Without the end of its last line, which belongs to the file and not to the value. */
const readValue = async ({ terminal }: Context, isFromStdin: boolean): Promise<string> => {
  if (isFromStdin || !terminal.stdinIsTerminal) return (await terminal.readInput()).replace(/\r?\n$/, "");
  const value = await terminal.readSecret("Value: ");
  if (value === "") throw new UsageError("Nothing was typed: nothing was changed.");
  return value;
};

const readPassphrase = async ({ terminal }: Context): Promise<string> => {
  if (!terminal.stdinIsTerminal) return (await terminal.readInput()).replace(/\r?\n$/, "");
  const first = await terminal.readSecret("New passphrase: ");
  if ((await terminal.readSecret("Once more: ")) === first) return first;
  throw new UsageError("The two differ: nothing was changed.");
};

const readMethods = (text: string): HttpMethod[] =>
  text.split(",").map((word) => {
    const method = HttpMethod.safeParse(word.trim().toUpperCase());
    if (method.success) return method.data;
    throw new UsageError(`"${safeLine(word)}" is no method of HTTP.`, `There are: ${HttpMethod.options.join(", ")}.`);
  });

const readSource = (text: string): KeySourceKind => {
  const source = keySourceKinds.find((kind) => kind === text);
  if (source !== undefined) return source;
  throw new UsageError(`A key is kept in ${keySourceKinds.join(", ")}, not in "${safeLine(text)}".`);
};

const tellKept = ({ json, output }: Context, what: string, secret: SecretInfo) => {
  if (json) output.json(secret);
  else output.line(`${what} ${safeLine(secret.name)}, version ${secret.version}`);
  return exitCodes.done;
};

/** "at api.example.org as bearer" */
const tellTerms = ({ host, port, methods, as, plain }: SecretGrant): string =>
  safeLine(
    `${methods === undefined ? "" : `for ${methods.join(", ")} `}at ${host}${port === undefined ? "" : `:${port}`} as ${as}${plain === true ? ", over plain HTTP too" : ""}`,
  );

const tellStatus = (status: VaultStatus): string => {
  switch (status.state) {
    case "empty":
      return "no secret is kept yet, so there is no key";
    case "open":
      return `open; key: ${status.source}`;
    case "locked":
      return safeLine(`LOCKED: ${status.why}. ${status.fix}`);
  }
};

export const secret: Group = {
  kind: "group",
  summary: "Secrets that are put into agents' requests, and shown to nobody",
  verbs: { list, set, rotate, remove, grant, revoke, key },
};
