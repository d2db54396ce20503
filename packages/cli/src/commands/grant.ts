/** `hearth grant`: manages the levels of people and bots on houses and rooms. */
import { levels, type Level } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { type Flags, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { createPlaces, findPlace, describePlace } from "../args/place.ts";
import { safeLine } from "../show/safe-text.ts";
import { ago } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";

const where = {
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

const list = defineCommand({
  summary: "Lists grants",
  needs: "a credential",
  flags: {
    on: { ...where.on, summary: "only grants on this house or room: handle, id, house:NAME or room:NAME" },
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
        ["NAME", "LEVEL", "ON", "BY", "SINCE"],
        await Promise.all(
          grants.map(async (grant) => [
            ...[await names.of(grant.agent), grant.level, placeOf(grant.on)],
            ...[await names.of(grant.by), ago(grant.at, now)],
          ]),
        ),
        "No grants are visible to you.",
      );
    }
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Gives a person or bot a level, replacing the present one",
  needs: "x on the house or room",
  args: [{ name: "NAME" }, { name: "LEVEL" }],
  flags: where,
  details: `${LEVELS}\nYou cannot give a higher level than your own. A house always keeps at least one person with x.`,
  examples: ["hearth grant add ada r", "hearth grant add main w --on den", "hearth grant add ada x --on house:home"],
  async run({ connect, json, output }, { on }, [name = "", level = ""]) {
    if (!isLevel(level)) throw new UsageError(`A level is ${levels.join(", ")}, not "${level}".`, LEVELS);
    const client = await connect();
    const place = await findPlace(client, on);
    const grant = await client.grants.give(place.id, withoutAt(name), level);
    if (json) output.json(grant);
    else output.line(`@${safeLine(withoutAt(name))} has ${level} on ${safeLine(describePlace(place))}`);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a grant",
  needs: "x on the house or room",
  args: [{ name: "NAME" }],
  flags: where,
  details: [
    "Connections that depend on the grant end within a second. Access through a house's level or room membership remains.",
    "The last x on a house cannot be removed: give x to another person first.",
  ].join("\n"),
  examples: ["hearth grant remove ada", "hearth grant remove main --on den"],
  async run({ connect, json, output }, { on }, [name = ""]) {
    const client = await connect();
    const place = await findPlace(client, on);
    await client.grants.take(place.id, withoutAt(name));
    if (json) output.json({ removed: { agent: withoutAt(name), on: place.id } });
    else output.line(`@${safeLine(withoutAt(name))} no longer has a grant on ${safeLine(describePlace(place))}`);
    return exitCodes.done;
  },
});

const isLevel = (text: string): text is Level => levels.some((level) => level === text);

export const grant: Group = {
  kind: "group",
  summary: "Manages who may read, write and administer",
  verbs: { list, add, remove },
};
