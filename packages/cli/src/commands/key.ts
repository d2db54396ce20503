/** `hearth key`: lists, creates and revokes API keys. */
import { type KeyInfo, type KeyScope, Level, levels, rights as allRights } from "@hearth/protocol";
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { findPlace } from "../args/place.ts";
import { toRight } from "../flags/level-flags.ts";
import { formatAge, localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";
import { readDuration } from "../args/when.ts";

const list = defineCommand({
  summary: "Lists keys, including revoked ones",
  needs: "a credential",
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
        ["ID", "NAME", "ACTS AS", "SCOPE", "CREATED", "USED", "EXPIRES"],
        keys.map((key) => [
          key.id,
          key.name,
          handles.get(key.agent) ?? key.agent,
          describeScope(key),
          formatAge(key.createdAt, now),
          key.usedAt === undefined ? "never" : formatAge(key.usedAt, now),
          describeEnd(key, now),
        ]),
        "No keys. Create one: hearth key create --name NAME",
      );
    }
    return exitCodes.done;
  },
});

const create = defineCommand({
  summary: "Creates a key and shows it once",
  needs: "a credential; for another agent, x on its house",
  flags: {
    name: { kind: "text", value: "NAME", summary: "what the key is for" },
    agent: { kind: "text", value: "AGENT", summary: "the agent that requests with this key act as (default: you)" },
    level: {
      kind: "text",
      value: "LEVEL",
      choices: levels,
      summary: "the highest level of the key: r reads, w writes, x administers (default: the agent's own)",
    },
    on: {
      kind: "text",
      value: "PLACES",
      summary: "the houses and rooms where the key is valid, a,b (default: all of the agent's)",
    },
    rights: {
      kind: "text",
      value: "RIGHTS",
      summary: `the rights of the key beside its level, a,b of ${allRights.join(", ")}; without --level the level is r`,
    },
    only: {
      kind: "text",
      value: "WHAT",
      choices: ["metrics"],
      summary: "limit the key to one purpose; metrics: read GET /metrics, for Prometheus",
    },
    "per-minute": {
      kind: "number",
      value: "N",
      min: 1,
      max: 100_000,
      summary: "how many requests the key may send per minute (default: no limit)",
    },
    expires: {
      kind: "text",
      value: "SPAN",
      summary: "how long the key is valid, such as 12h or 30d (default: until revoked)",
    },
  },
  details: [
    "Store the key where only the program that needs it can read it. It cannot be shown again.",
    "--only metrics needs x on the first house.",
    "A key with --level, --rights, --only, --per-minute or --expires cannot create login links, set passwords or end sessions.",
  ].join("\n"),
  examples: [
    "hearth key create --name laptop",
    "hearth key create --name ci --agent main --json",
    "hearth key create --name reader --level r --on den --expires 30d",
    "hearth key create --name auditor --rights audit",
    "hearth key create --name prometheus --only metrics",
    "hearth key create --name webhook --level w --on den --per-minute 60",
  ],
  async run(
    { connect, json, output, terminal },
    { name, agent, level, on, rights, only, expires, "per-minute": perMinute },
  ) {
    if (name === undefined || name.trim() === "") throw new UsageError("A key needs a name: --name NAME");
    if (on !== undefined && level === undefined && rights === undefined)
      throw new UsageError("--on needs a level: add --level r, w or x.");
    if (only !== undefined && level !== undefined)
      throw new UsageError("--only and --level cannot be combined.", "A key with --only has no level.");
    if (only !== undefined && rights !== undefined) throw new UsageError("--only and --rights cannot be combined.");
    const requestedRights = rights === undefined ? undefined : namesOf(rights).map(toRight);
    const lifeMs = expires === undefined ? undefined : readDuration("--expires", expires);
    const client = await connect();
    const places = await Promise.all(namesOf(on).map((place) => findPlace(client, place)));
    const createdKey = await client.keys.create({
      name,
      ...(agent === undefined ? {} : { agent: (await client.agents.get(agent)).id }),
      ...scopeOf({
        level: level ?? (requestedRights === undefined ? undefined : "r"),
        on: on === undefined ? undefined : places.map(({ id }) => id),
        rights: requestedRights,
        only,
        perMinute,
      }),
      ...(lifeMs === undefined ? {} : { expiresAt: terminal.now() + lifeMs }),
    });
    if (json) output.json(createdKey);
    else {
      output.line(createdKey.key);
      output.note(`This key is not shown again. To revoke it: hearth key revoke ${createdKey.id}`);
    }
    return exitCodes.done;
  },
});

/**
 * Returns the scope of a new key, or no scope for a key with all rights of its agent. A rate limit
 * alone does not lower the level.
 */
const scopeOf = (flags: {
  readonly level: string | undefined;
  readonly on: KeyScope["on"];
  readonly rights: KeyScope["rights"];
  readonly only: string | undefined;
  readonly perMinute: number | undefined;
}): { readonly scope?: KeyScope } => {
  const { level, on, rights, only, perMinute } = flags;
  if (level === undefined && only === undefined && perMinute === undefined) return {};
  return {
    scope: {
      level: only === undefined ? Level.parse(level ?? "x") : "r",
      ...(on === undefined ? {} : { on }),
      ...(rights === undefined ? {} : { rights }),
      ...(only === undefined ? {} : { only: "metrics" }),
      ...(perMinute === undefined ? {} : { perMinute }),
    },
  };
};

const revoke = defineCommand({
  summary: "Revokes a key permanently",
  needs: "a credential; for another agent, x on its house",
  args: [{ name: "KEY" }],
  flags: {},
  details: "KEY is an id, or a name that only one active key has.",
  examples: ["hearth key revoke laptop", "hearth key revoke key_01h2xcejqtf2nbrexx3vqjhp41"],
  async run({ connect, json, output }, _flags, [keyName = ""]) {
    const client = await connect();
    const id = keyName.startsWith("key_")
      ? readId("key", keyName, "hearth key list")
      : findOnlyKey(keyName, await client.keys.list());
    await client.keys.revoke(id);
    if (json) output.json({ revoked: id });
    else output.line(`revoked ${id}`);
    return exitCodes.done;
  },
});

/** Describes a scope: "all", "r", or "w in 2 places, 60 requests per minute". */
const describeScope = ({ scope }: KeyInfo): string => {
  if (scope === undefined) return "all";
  const { level: levelName, on, rights = [], only, perMinute } = scope;
  const level = rights.length === 0 ? levelName : `${levelName} with ${rights.join(", ")}`;
  const placedLevel = on === undefined ? level : `${level} in ${on.length === 1 ? "1 place" : `${on.length} places`}`;
  const description = only === undefined ? placedLevel : `only ${only}`;
  return perMinute === undefined ? description : `${description}, ${perMinute} requests per minute`;
};

const describeEnd = ({ revokedAt, expiresAt }: KeyInfo, now: number): string => {
  if (revokedAt !== undefined) return `revoked ${formatAge(revokedAt, now)}`;
  if (expiresAt === undefined) return "";
  return expiresAt <= now ? `ended ${formatAge(expiresAt, now)}` : localTime(expiresAt);
};

const namesOf = (list: string | undefined): readonly string[] =>
  (list ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));

const findOnlyKey = (name: string, keys: readonly KeyInfo[]): string => {
  const matchingKeys = keys.filter((candidate) => candidate.name === name && candidate.revokedAt === undefined);
  const [firstMatch] = matchingKeys;
  if (firstMatch !== undefined && matchingKeys.length === 1) return firstMatch.id;
  throw new UsageError(
    matchingKeys.length === 0
      ? `No active key is named "${name}".`
      : `${matchingKeys.length} active keys are named "${name}".`,
    "Use the id of the key. To list ids: hearth key list",
  );
};

export const key: Group = {
  kind: "group",
  summary: "Manages API keys for programs",
  verbs: { list, create, revoke },
};
