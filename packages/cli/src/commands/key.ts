/** API keys: made, listed, revoked. */
import type { KeyInfo } from "@hearth/protocol";
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { ago } from "../time.ts";
import { UsageError } from "../usage-error.ts";

const list = defineCommand({
  summary: "Lists the keys, revoked ones too",
  flags: {},
  examples: ["hearth key list", "hearth key list --json"],
  async run({ connect, json, output, terminal }) {
    const client = await connect();
    const keys = await client.keys.list();
    if (json) output.json(keys);
    else {
      const now = terminal.now();
      const handles = new Map((await client.agents.list()).map(({ id, handle }) => [id, `@${handle}`]));
      output.table(
        ["ID", "NAME", "ACTS AS", "MADE", "REVOKED"],
        keys.map((key) => [
          key.id,
          key.name,
          handles.get(key.agent) ?? key.agent,
          ago(key.createdAt, now),
          key.revokedAt === undefined ? "" : ago(key.revokedAt, now),
        ]),
        "There are no keys. Make one: hearth key create --name NAME",
      );
    }
    return exitCodes.done;
  },
});

const create = defineCommand({
  summary: "Makes a key and shows it, once",
  flags: {
    name: { kind: "text", value: "NAME", summary: "what it is for" },
    agent: { kind: "text", value: "AGENT", summary: "whom its holder acts as (default: you)" },
  },
  details: "Keep the key where only the program that needs it can read it; it cannot be shown again.",
  examples: ["hearth key create --name laptop", "hearth key create --name ci --agent main --json"],
  async run({ connect, json, output }, { name, agent }) {
    if (name === undefined || name.trim() === "") throw new UsageError("A key needs a name: --name NAME");
    const client = await connect();
    const created = await client.keys.create({
      name,
      ...(agent === undefined ? {} : { agent: (await client.agents.get(agent)).id }),
    });
    if (json) output.json(created);
    else {
      output.line(created.key);
      output.note(`Shown only now. To end it: hearth key revoke ${created.id}`);
    }
    return exitCodes.done;
  },
});

const revoke = defineCommand({
  summary: "Revokes a key for good",
  args: [{ name: "KEY" }],
  flags: {},
  details: "By its id, or by its name when only one key in use has that name.",
  examples: ["hearth key revoke laptop", "hearth key revoke key_01h2xcejqtf2nbrexx3vqjhp41"],
  async run({ connect, json, output }, _flags, [named = ""]) {
    const client = await connect();
    const id = named.startsWith("key_") ? named : onlyKey(named, await client.keys.list());
    await client.keys.revoke(id);
    if (json) output.json({ revoked: id });
    else output.line(`revoked ${id}`);
    return exitCodes.done;
  },
});

const onlyKey = (name: string, keys: readonly KeyInfo[]): string => {
  const found = keys.filter((candidate) => candidate.name === name && candidate.revokedAt === undefined);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.id;
  throw new UsageError(
    found.length === 0 ? `No key in use is called "${name}".` : `${found.length} keys in use are called "${name}".`,
    "Name it by its id: hearth key list",
  );
};

export const key: Group = {
  kind: "group",
  summary: "Keys for programs that use the house",
  verbs: { list, create, revoke },
};
