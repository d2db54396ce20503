/** `hearth house`: manages houses, each with its own people, agents and rooms. */
import type { Client } from "@hearth/client";
import type { HouseRecord } from "@hearth/protocol";
import { type Context, type Flags, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { describeGrants } from "../show/grants.ts";
import { toFields, toTexts } from "../flags/record-fields.ts";
import { localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";

const fieldFlags = {
  description: {
    kind: "text",
    value: "TEXT",
    summary: "what the house is for; its bots read it before their own instructions",
  },
  timezone: { kind: "text", value: "ZONE", summary: "IANA time zone of the house, such as Europe/Berlin" },
} as const satisfies Flags;

const list = defineCommand({
  summary: "Lists houses",
  needs: "a credential",
  flags: {},
  examples: ["hearth house list", "hearth house list --json"],
  async run({ connect, json, output }) {
    const client = await connect();
    const houses = await client.houses.list();
    if (json) output.json(houses);
    else {
      const { permissions } = await client.me();
      output.table(
        ["HANDLE", "NAME", "YOUR LEVEL", "DESCRIPTION"],
        houses.map(({ id, handle, content }) => [
          handle,
          content.name,
          permissions.find(({ on }) => on === id)?.level ?? "",
          content.description ?? "",
        ]),
        "No house is visible to you.",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows a house",
  needs: "permission to see the house",
  args: [{ name: "HOUSE", optional: true }],
  flags: {},
  details: "Without HOUSE, shows your own.",
  examples: ["hearth house show", "hearth house show annex --json"],
  async run(context, _flags, [name]) {
    const client = await context.connect();
    await printHouse(context, client, await findHouse(client, name));
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Creates a house",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: fieldFlags,
  details:
    "You get x on the new house. To give others access: hearth grant add NAME LEVEL --on HOUSE, or hearth person add NAME --house HOUSE",
  examples: ["hearth house add Annex", 'hearth house add "The Office" --description "Where we work"'],
  async run(context, flags, [name = ""]) {
    const client = await context.connect();
    await printHouse(context, client, await client.houses.create({ ...toTexts(flags), name }));
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes a house",
  needs: "x on the house",
  args: [{ name: "HOUSE" }],
  flags: { name: { kind: "text", value: "NAME", summary: "the new name; the handle changes with it" }, ...fieldFlags },
  details: 'An empty text removes a field: --description ""',
  examples: ["hearth house edit home --name Lighthouse", "hearth house edit home --timezone Europe/Berlin"],
  async run(context, flags, [name = ""]) {
    const client = await context.connect();
    const { id, version } = await client.houses.get(name);
    const content = toFields(flags);
    if (Object.keys(content).length === 0)
      throw new UsageError(
        "Nothing to change: no field was given.",
        "Give a field: --name, --description or --timezone",
      );
    await printHouse(context, client, await client.houses.update(id, { version, content }));
    return exitCodes.done;
  },
});

const findHouse = async (client: Client, name: string | undefined): Promise<HouseRecord> =>
  name === undefined ? (await client.me()).house : client.houses.get(name);

const printHouse = async ({ json, output }: Context, client: Client, record: HouseRecord): Promise<void> => {
  if (json) return output.json(record);
  const { content } = record;
  output.facts([
    ["name", content.name],
    ["handle", record.handle],
    ["id", record.id],
    ["description", content.description],
    ["timezone", content.timezone],
    ["levels", await describeGrants(client, record.id)],
    ["changed", `${localTime(record.updatedAt)} (version ${record.version})`],
  ]);
};

export const house: Group = { kind: "group", summary: "Manages houses", verbs: { list, show, add, edit } };
