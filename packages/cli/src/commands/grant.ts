/** Who may do what: levels of people and bots on houses and rooms. */
import { levels, type Level } from "@hearth/protocol";
import { withoutAt } from "../agent-list.ts";
import { type Flags, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../names.ts";
import { createPlaces, findPlace, tellPlace } from "../place.ts";
import { safeLine } from "../safe-text.ts";
import { ago } from "../time.ts";
import { UsageError } from "../usage-error.ts";

const where = {
  on: {
    kind: "text",
    value: "PLACE",
    summary: "a house or a room by handle or id, house:NAME or room:NAME where both have one (default: your house)",
  },
} as const satisfies Flags;

const LEVELS = [
  "Levels: r reads, w also speaks, x also decides over records, people, keys and agents there. A house's level holds in its rooms;",
  "in a room with a list of members it does so for x alone, and each member has w.",
].join("\n");

const list = defineCommand({
  summary: "Lists who was given what",
  needs: "a credential",
  flags: {
    on: { ...where.on, summary: "only what was given on this house or room: by handle or id, house:NAME, room:NAME" },
    agent: { kind: "text", value: "NAME", summary: "only what this person or bot was given" },
  },
  details: "Your own, and all on houses and rooms where you decide.",
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
        "Nothing was given that you may know of.",
      );
    }
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Gives a person or a bot a level, in place of another one",
  needs: "x on the house or room",
  args: [{ name: "NAME" }, { name: "LEVEL" }],
  flags: where,
  details: `${LEVELS}\nNobody gives more than they have. A house always keeps a person who decides.`,
  examples: ["hearth grant add ada r", "hearth grant add main w --on den", "hearth grant add ada x --on house:home"],
  async run({ connect, json, output }, { on }, [name = "", level = ""]) {
    if (!isLevel(level)) throw new UsageError(`A level is ${levels.join(", ")}, not "${level}".`, LEVELS);
    const client = await connect();
    const place = await findPlace(client, on);
    const grant = await client.grants.give(place.id, withoutAt(name), level);
    if (json) output.json(grant);
    else output.line(`@${safeLine(withoutAt(name))} has ${level} on ${safeLine(tellPlace(place))}`);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Takes a level away",
  needs: "x on the house or room",
  args: [{ name: "NAME" }],
  flags: where,
  details: [
    "What they hold open by it ends within a second. What they have by a house's level, or as a member of a room, stays.",
    "To take nobody's last x on a house, give it to another person first.",
  ].join("\n"),
  examples: ["hearth grant remove ada", "hearth grant remove main --on den"],
  async run({ connect, json, output }, { on }, [name = ""]) {
    const client = await connect();
    const place = await findPlace(client, on);
    await client.grants.take(place.id, withoutAt(name));
    if (json) output.json({ removed: { agent: withoutAt(name), on: place.id } });
    else output.line(`@${safeLine(withoutAt(name))} was given nothing on ${safeLine(tellPlace(place))} any more`);
    return exitCodes.done;
  },
});

const isLevel = (text: string): text is Level => levels.some((level) => level === text);

export const grant: Group = { kind: "group", summary: "Who may do what", verbs: { list, add, remove } };
