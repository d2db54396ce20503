/** `hearth grant`: manages the levels of people and bots on houses and rooms. */
import { type Grant, levels, type Level, rights, type Right } from "@hearth/protocol";
import type { Client } from "@hearth/client";
import { withoutAt } from "../show/agent-list.ts";
import { type Flags, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { createPlaces, findPlace, describePlace } from "../args/place.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";

const placeFlag = {
  on: {
    kind: "text",
    value: "PLACE",
    summary: "a house or room by handle or id; house:NAME or room:NAME if both have the name (default: your house)",
  },
} as const satisfies Flags;

const LEVELS = [
  "Levels: r reads; w also writes messages; x also administers records, people, keys and agents. A level on a house also applies in its rooms.",
  "In a room with a member list, only x applies, and each member has w.",
].join("\n");

const RIGHTS = [
  "Rights: a person with r or w on a house can also have these; x includes all of them.",
  "providers: adds and removes known vendors of models with their keys (first house only). secrets: stores, replaces and removes secrets, and reads no value.",
  "audit: reads, verifies and exports the audit log. approve: decides single approvals in rooms that the person can read.",
].join("\n");

const list = defineCommand({
  summary: "Lists grants",
  needs: "a credential",
  flags: {
    on: { ...placeFlag.on, summary: "only grants on this house or room: handle, id, house:NAME or room:NAME" },
    agent: { kind: "text", value: "NAME", summary: "only grants to this person or bot" },
  },
  details: "Lists your own grants, and all grants on houses and rooms where you have x.",
  examples: ["hearth grant list", "hearth grant list --on home --json", "hearth grant list --agent main"],
  async run({ connect, json, output, terminal }, { on, agent }) {
    const client = await connect();
    const grants = await client.grants.list({
      ...(on === undefined ? {} : { on: (await findPlace(client, on)).id }),
      ...(agent === undefined ? {} : { agent: (await client.agents.get(withoutAt(agent))).id }),
    });
    if (json) output.json(grants);
    else {
      const [names, placeOf] = await Promise.all([createNames(client), createPlaces(client)]);
      const now = terminal.now();
      output.table(
        ["NAME", "LEVEL", "RIGHTS", "ON", "BY", "SINCE"],
        await Promise.all(
          grants.map(async (grant) => [
            await names.get(grant.agent),
            grant.level,
            (grant.rights ?? []).join(","),
            placeOf(grant.on),
            await names.get(grant.by),
            formatAge(grant.at, now),
          ]),
        ),
        "No grants are visible to you.",
      );
    }
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Sets the level of a person or bot, or gives a person a right",
  needs: "x on the house or room",
  args: [{ name: "NAME" }, { name: "LEVEL|RIGHT" }],
  flags: placeFlag,
  details: `${LEVELS}\n${RIGHTS}\nYou cannot give a higher level than your own. A house always keeps at least one person with x. A person without a level gets r with the first right.`,
  examples: [
    "hearth grant add ada r",
    "hearth grant add main w --on den",
    "hearth grant add ada x --on house:home",
    "hearth grant add ana audit",
  ],
  async run({ connect, json, output }, { on }, [name = "", levelOrRight = ""]) {
    if (!isLevel(levelOrRight) && !isRight(levelOrRight))
      throw new UsageError(
        `A level is ${levels.join(", ")}, and a right is ${rights.join(", ")}, not "${levelOrRight}".`,
        `${LEVELS}\n${RIGHTS}`,
      );
    const client = await connect();
    const place = await findPlace(client, on);
    const agent = withoutAt(name);
    const grant = isLevel(levelOrRight)
      ? await client.grants.give(place.id, agent, levelOrRight)
      : await changeRights(client, { agent, on: place.id }, (rights) => [...rights, levelOrRight]);
    if (json) output.json(grant);
    else output.line(`@${safeLine(agent)} has ${describeGrant(grant)} on ${safeLine(describePlace(place))}`);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a grant, or one right of it",
  needs: "x on the house or room",
  args: [{ name: "NAME" }, { name: "RIGHT", optional: true }],
  flags: placeFlag,
  details: [
    "Connections that depend on the grant end within a second. Access through a house's level or room membership remains.",
    "The last x on a house cannot be removed: give x to another person first.",
    `With RIGHT, the level and the other rights stay. A right is ${rights.join(", ")}.`,
  ].join("\n"),
  examples: ["hearth grant remove ada", "hearth grant remove main --on den", "hearth grant remove ana audit"],
  async run({ connect, json, output }, { on }, [name = "", right]) {
    if (right !== undefined && !isRight(right))
      throw new UsageError(`A right is ${rights.join(", ")}, not "${right}".`, RIGHTS);
    const client = await connect();
    const place = await findPlace(client, on);
    const agent = withoutAt(name);
    if (right !== undefined) {
      const grant = await changeRights(client, { agent, on: place.id }, (rights) =>
        rights.filter((otherRight) => otherRight !== right),
      );
      if (json) output.json(grant);
      else output.line(`@${safeLine(agent)} has ${describeGrant(grant)} on ${safeLine(describePlace(place))}`);
      return exitCodes.done;
    }
    await client.grants.take(place.id, agent);
    if (json) output.json({ removed: { agent, on: place.id } });
    else output.line(`@${safeLine(agent)} no longer has a grant on ${safeLine(describePlace(place))}`);
    return exitCodes.done;
  },
});

/** Changes the rights of a person and keeps the level. */
const changeRights = async (
  client: Client,
  { agent: name, on }: { readonly agent: string; readonly on: Grant["on"] },
  change: (rights: readonly Right[]) => readonly Right[],
): Promise<Grant> => {
  const { id: agent } = await client.agents.get(name);
  const [grant] = await client.grants.list({ on, agent });
  return client.grants.give(on, agent, grant?.level ?? "r", change(grant?.rights ?? []));
};

/** Describes a grant, for example "w with audit, approve". */
const describeGrant = ({ level, rights = [] }: Grant): string =>
  rights.length === 0 ? level : `${level} with ${rights.join(", ")}`;

const isRight = (text: string): text is Right => rights.some((right) => right === text);

const isLevel = (text: string): text is Level => levels.some((level) => level === text);

export const grant: Group = {
  kind: "group",
  summary: "Manages levels and rights of people and bots",
  verbs: { list, add, remove },
};
