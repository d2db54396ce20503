/**
 * `hearth secret`: manages secrets and their grants. Values are read from the terminal or stdin,
 * never from an argument.
 */
import {
  HttpMethod,
  type KeySourceKind,
  keySourceKinds,
  type SecretGrant,
  type SecretInfo,
  SecretUse,
  type VaultStatus,
} from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { type Context, defineCommand, type Flags, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";

const houseFlag = {
  house: { kind: "text", value: "HOUSE", summary: "the house of the secret (default: yours)" },
} as const satisfies Flags;
const inputFlags = {
  "from-stdin": { kind: "switch", summary: "read the value from stdin to its end, even at a terminal" },
} as const satisfies Flags;
const destinationFlags = {
  agent: { kind: "text", value: "AGENT", summary: "the agent whose requests carry the secret" },
  host: {
    kind: "text",
    value: "HOST",
    summary: "the destination: a host name, *. and a name for all its subdomains, or an address",
  },
} as const satisfies Flags;

const providersFlag = {
  kind: "switch",
  summary: "instead of an agent: let the providers in hearth.toml use it as their key for this host",
} as const satisfies Flags[string];

/** Returns the holder that the flags name, in the form of the API. */
const findHolder = async (
  client: Awaited<ReturnType<Context["connect"]>>,
  agent: string | undefined,
  isProviders: boolean,
): Promise<SecretGrant["agent"]> => {
  if ((agent === undefined) !== isProviders) throw new UsageError("Give either --agent AGENT or --providers.");
  return agent === undefined ? "providers" : (await client.agents.get(withoutAt(agent))).id;
};

const describeHolder = (agent: string | undefined): string =>
  agent === undefined ? "the providers" : `@${safeLine(withoutAt(agent))}`;

const VALUE_SOURCE_NOTE =
  "The value is read from the terminal or stdin, never from an argument, which other users of the machine could see.";

const findHouse = async ({ connect }: Context, houseName: string | undefined) => {
  const client = await connect();
  return { client, house: houseName ?? (await client.me()).house.id };
};

const list = defineCommand({
  summary: "Lists secrets by name with their grants",
  needs: "x on the house, or the right secrets",
  flags: houseFlag,
  details: "Values are never shown.",
  examples: ["hearth secret list", "hearth secret list --json"],
  async run(context, flags) {
    const { json, output, terminal } = context;
    const { client, house } = await findHouse(context, flags.house);
    const secrets = await (await client.secrets()).list(house);
    if (json) output.json(secrets);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      const rows = await Promise.all(
        secrets.map(async ({ name, version, setAt, grants }) => [
          name,
          String(version),
          formatAge(setAt, now),
          (
            await Promise.all(
              grants.map(
                async (grant) =>
                  `${grant.agent === "providers" ? "providers" : await names.get(grant.agent)} ${describeGrantTerms(grant)}`,
              ),
            )
          ).join("; "),
        ]),
      );
      output.table(["NAME", "VERSION", "CHANGED", "GRANTS"], rows, "No secrets. Store one: hearth secret set NAME");
    }
    return exitCodes.done;
  },
});

const set = defineCommand({
  summary: "Stores a new secret",
  needs: "x on the house, or the right secrets",
  args: [{ name: "NAME" }],
  flags: { ...houseFlag, ...inputFlags },
  details: `${VALUE_SOURCE_NOTE}\nIn hearth.toml, refer to it as secret:NAME. To let an agent's requests carry it: hearth secret grant`,
  examples: ["hearth secret set GITHUB", "hearth secret set GITHUB --from-stdin < token.txt"],
  async run(context, flags, [name = ""]) {
    const { client, house } = await findHouse(context, flags.house);
    return printChange(
      context,
      "stored",
      await (await client.secrets()).set(house, { name, value: await readValue(context, flags["from-stdin"]) }),
    );
  },
});

const rotate = defineCommand({
  summary: "Replaces the value of a secret",
  needs: "x on the house, or the right secrets",
  args: [{ name: "NAME" }],
  flags: { ...houseFlag, ...inputFlags },
  details: `${VALUE_SOURCE_NOTE}\nGrants are kept.`,
  examples: ["hearth secret rotate GITHUB", "hearth secret rotate GITHUB --from-stdin < token.txt"],
  async run(context, flags, [name = ""]) {
    const { client, house } = await findHouse(context, flags.house);
    return printChange(
      context,
      "rotated",
      await (await client.secrets()).rotate(house, name, await readValue(context, flags["from-stdin"])),
    );
  },
});

const remove = defineCommand({
  summary: "Removes a secret and its grants",
  needs: "x on the house, or the right secrets",
  args: [{ name: "NAME" }],
  flags: houseFlag,
  examples: ["hearth secret remove GITHUB"],
  async run(context, flags, [name = ""]) {
    const { json, output } = context;
    const { client, house } = await findHouse(context, flags.house);
    await (await client.secrets()).remove(house, name);
    if (json) output.json({ removed: name });
    else output.line(`removed ${safeLine(name)}`);
    return exitCodes.done;
  },
});

const grant = defineCommand({
  summary: "Inserts a secret into an agent's requests to a host",
  needs: "x on the house, or the right secrets",
  args: [{ name: "NAME" }],
  flags: {
    ...houseFlag,
    ...destinationFlags,
    providers: providersFlag,
    port: {
      kind: "number",
      value: "N",
      min: 1,
      max: 65_535,
      summary: "only this port (default: 443; 80 with --plain)",
    },
    method: { kind: "text", value: "METHODS", summary: "only these methods, such as GET,POST (default: any)" },
    as: {
      kind: "text",
      value: "USE",
      summary: "how the request carries it: bearer, basic:USER or header:NAME (default: bearer)",
    },
    plain: { kind: "switch", summary: "also over plain HTTP, where anyone on the network path can read it" },
  },
  details:
    "Hearth inserts the secret when the request leaves the house; the agent never sees it. For git over https, use basic:USER.",
  examples: [
    "hearth secret grant GITHUB --agent main --host api.github.com",
    "hearth secret grant GITHUB --agent main --host github.com --as basic:git",
    "hearth secret grant OPENAI --providers --host api.openai.com",
    "hearth secret grant SEARCH --agent main --host api.search.example --method GET --as header:X-Api-Key --json",
  ],
  async run(
    context,
    { house: houseName, agent, providers: isProviders, host, port, method, as = "bearer", plain },
    [name = ""],
  ) {
    const { json, output } = context;
    if ((agent === undefined && !isProviders) || host === undefined)
      throw new UsageError("A grant needs a holder and a host: --agent AGENT --host HOST, or --providers --host HOST");
    const use = SecretUse.safeParse(as);
    if (!use.success) throw new UsageError(`--as is bearer, basic:USER or header:NAME, not "${safeLine(as)}".`);
    const methods = method === undefined ? undefined : readMethods(method);
    const { client, house } = await findHouse(context, houseName);
    const newGrant = await (
      await client.secrets()
    ).grant(house, name, {
      agent: await findHolder(client, agent, isProviders),
      host: host.toLowerCase(),
      as: use.data,
      ...(port === undefined ? {} : { port }),
      ...(methods === undefined ? {} : { methods }),
      ...(plain ? { plain } : {}),
    });
    if (json) output.json(newGrant);
    else
      output.line(
        `${describeHolder(agent)} ${agent === undefined ? "have" : "has"} ${safeLine(name)} ${describeGrantTerms(newGrant)}`,
      );
    return exitCodes.done;
  },
});

const revoke = defineCommand({
  summary: "Revokes grants of a secret",
  needs: "x on the house, or the right secrets",
  args: [{ name: "NAME" }],
  flags: {
    ...houseFlag,
    ...destinationFlags,
    providers: providersFlag,
    host: { ...destinationFlags.host, summary: "only grants for this host (default: all)" },
  },
  examples: ["hearth secret revoke GITHUB --agent main", "hearth secret revoke GITHUB --agent main --host github.com"],
  async run(context, { house: houseName, agent, providers: isProviders, host }, [name = ""]) {
    const { json, output } = context;
    if (agent === undefined && !isProviders)
      throw new UsageError("Give the holder of the grant: --agent AGENT, or --providers.");
    const { client, house } = await findHouse(context, houseName);
    const holder = await findHolder(client, agent, isProviders);
    const secret = (await (await client.secrets()).list(house)).find((entry) => entry.name === name);
    if (secret === undefined)
      throw new UsageError(`There is no secret "${safeLine(name)}".`, "To list secrets: hearth secret list");
    const revokedGrants = secret.grants.filter(
      (grant) => grant.agent === holder && (host === undefined || grant.host === host.toLowerCase()),
    );
    for (const grant of revokedGrants) await (await client.secrets()).revoke(house, name, grant.id);
    if (json) output.json({ revoked: revokedGrants.map((grant) => grant.id) });
    else
      output.line(
        `${describeHolder(agent)} lost ${revokedGrants.length === 1 ? "1 grant" : `${revokedGrants.length} grants`} of ${safeLine(name)}`,
      );
    return exitCodes.done;
  },
});

const key = defineCommand({
  summary: "Shows where the vault's key is stored, or replaces the key",
  needs: "x on the first house",
  args: [{ name: "PLACE", optional: true }],
  flags: {},
  details: [
    `PLACE is ${keySourceKinds.join(", ")}: a file in the home; a passphrase, entered at each start or set in HEARTH_PASSPHRASE;`,
    "or the keyring of the system. All secrets are encrypted again with a new key, and the old key is deleted.",
  ].join("\n"),
  examples: ["hearth secret key", "hearth secret key file --json"],
  async run(context, _flags, [sourceName]) {
    const { connect, json, output } = context;
    const source = sourceName === undefined ? undefined : readSource(sourceName);
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
    else output.line(describeStatus(status));
    return status.state === "locked" ? exitCodes.failed : exitCodes.done;
  },
});

/** Reads the value. The final newline of stdin is not part of it. */
const readValue = async ({ terminal }: Context, isFromStdin: boolean): Promise<string> => {
  if (isFromStdin || !terminal.stdinIsTerminal) return (await terminal.readInput()).replace(/\r?\n$/, "");
  const value = await terminal.readSecret("Value: ");
  if (value === "") throw new UsageError("The value is empty. Nothing was changed.");
  return value;
};

const readPassphrase = async ({ terminal }: Context): Promise<string> => {
  if (!terminal.stdinIsTerminal) return (await terminal.readInput()).replace(/\r?\n$/, "");
  const passphrase = await terminal.readSecret("New passphrase: ");
  if ((await terminal.readSecret("Repeat it: ")) === passphrase) return passphrase;
  throw new UsageError("The two inputs differ. Nothing was changed.");
};

const readMethods = (text: string): HttpMethod[] =>
  text.split(",").map((word) => {
    const method = HttpMethod.safeParse(word.trim().toUpperCase());
    if (method.success) return method.data;
    throw new UsageError(`"${safeLine(word)}" is not an HTTP method.`, `Use one of: ${HttpMethod.options.join(", ")}.`);
  });

const readSource = (text: string): KeySourceKind => {
  const source = keySourceKinds.find((kind) => kind === text);
  if (source !== undefined) return source;
  throw new UsageError(`The key's place is ${keySourceKinds.join(", ")}, not "${safeLine(text)}".`);
};

const printChange = ({ json, output }: Context, verb: string, secret: SecretInfo) => {
  if (json) output.json(secret);
  else output.line(`${verb} ${safeLine(secret.name)}, version ${secret.version}`);
  return exitCodes.done;
};

/** Describes a grant, for example "at api.example.org as bearer". */
const describeGrantTerms = ({ host, port, methods, as, plain }: SecretGrant): string =>
  safeLine(
    `${methods === undefined ? "" : `for ${methods.join(", ")} `}at ${host}${port === undefined ? "" : `:${port}`} as ${as}${plain === true ? ", also over plain HTTP" : ""}`,
  );

const describeStatus = (status: VaultStatus): string => {
  switch (status.state) {
    case "empty":
      return "no secret is stored yet, so there is no key";
    case "open":
      return `open; key: ${status.source}`;
    case "locked":
      return safeLine(`LOCKED: ${status.why}. ${status.fix}`);
  }
};

export const secret: Group = {
  kind: "group",
  summary: "Manages secrets, which Hearth inserts into agents' requests",
  verbs: { list, set, rotate, remove, grant, revoke, key },
};
