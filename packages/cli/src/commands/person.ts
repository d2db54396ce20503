/** `hearth person`: manages the records of people. `hearth agent` manages bots too. */
import type { Client } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { type Flags, type Group, defineCommand, type PrintContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { houseFlag, levelFlag, setLevel, describeLevels, toHouseAndLevel, toHouse } from "../flags/level-flags.ts";
import { toFields, toTexts } from "../flags/record-fields.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";
import { password } from "./person-password.ts";

const fields = {
  description: { kind: "text", value: "TEXT", summary: "what other people and bots read about them" },
  timezone: { kind: "text", value: "ZONE", summary: "IANA name, such as Europe/Berlin" },
} as const satisfies Flags;

const list = defineCommand({
  summary: "Lists people",
  needs: "a credential",
  flags: { house: { ...houseFlag.house, summary: "only people of this house, by handle or id" } },
  examples: ["hearth person list", "hearth person list --house annex --json"],
  async run({ connect, json, output }, { house }) {
    const client = await connect();
    const agents = await client.agents.list(house === undefined ? {} : { house: await toHouse(client, house) });
    const people = agents.filter(({ content }) => content.kind === "human");
    if (json) output.json(people);
    else {
      const grants = await client.grants.list();
      const levelOf = ({ id, house: home }: AgentRecord): string =>
        grants.find(({ agent, on }) => agent === id && on === home)?.level ?? "";
      output.table(
        ["HANDLE", "NAME", "LEVEL", "DESCRIPTION"],
        people.map((person) => [
          `@${person.handle}`,
          person.content.name,
          levelOf(person),
          person.content.description ?? "",
        ]),
        "No people.",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows a person",
  needs: "permission to see the agent",
  args: [{ name: "PERSON" }],
  flags: {},
  examples: ["hearth person show owner", "hearth person show owner --json"],
  async run(context, _flags, [name = ""]) {
    const client = await context.connect();
    await printPerson(context, client, await findPerson(client, name));
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Adds a person",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: { ...fields, ...levelFlag, ...houseFlag },
  details:
    "A new person gets w on the house (may read and write) unless --level sets another level. They log in with a password or a key.",
  examples: ["hearth person add Ada", "hearth person add Ben --level r --timezone Europe/Berlin"],
  async run(context, { description, timezone, house, level }, [name = ""]) {
    const client = await context.connect();
    const content = { ...toTexts({ description, timezone }), name, kind: "human" as const };
    const newPerson = await client.agents.create(content, await toHouseAndLevel(client, { house, level }));
    await printPerson(context, client, newPerson);
    context.output.note(
      `To create a key for them: hearth key create --name ${newPerson.handle} --agent ${newPerson.handle}`,
    );
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes fields of a person",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PERSON" }],
  flags: {
    name: { kind: "text", value: "NAME", summary: "the new name; the handle changes with it" },
    ...fields,
    ...levelFlag,
  },
  details: 'An empty text removes a field: --description ""',
  examples: ["hearth person edit ada --timezone Asia/Tokyo", "hearth person edit ada --level x"],
  async run(context, { name, description, timezone, level }, [personName = ""]) {
    const client = await context.connect();
    const person = await findPerson(client, personName);
    const content = toFields({ name, description, timezone });
    const isChanged = Object.keys(content).length > 0;
    if (!isChanged && level === undefined)
      throw new UsageError(
        "Nothing to change: no field was given.",
        "Give a field: --name, --description, --timezone or --level",
      );
    const { id, version } = person;
    const record = isChanged ? await client.agents.update(id, { version, content }) : person;
    if (level !== undefined) await setLevel(client, record, level);
    await printPerson(context, client, record);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a person",
  needs: "x on the agent's house",
  args: [{ name: "PERSON" }],
  flags: {},
  details: "Their messages are kept. Their keys and sessions end at once.",
  examples: ["hearth person remove ada"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await findPerson(client, name);
    await client.agents.remove(id);
    if (json) output.json({ removed: id });
    else output.line(`removed @${safeLine(handle)}`);
    return exitCodes.done;
  },
});

const findPerson = async (client: Client, name: string): Promise<AgentRecord> => {
  const record = await client.agents.get(withoutAt(name));
  if (record.content.kind === "human") return record;
  throw new UsageError(`${safeLine(record.content.name)} is a bot.`, `For bots: hearth agent show ${record.handle}`);
};

const printPerson = async ({ json, output }: PrintContext, client: Client, record: AgentRecord): Promise<void> => {
  if (json) return output.json(record);
  const { content } = record;
  output.facts([
    ["name", content.name],
    ["handle", `@${record.handle}`],
    ["id", record.id],
    ["description", content.description],
    ["timezone", content.timezone],
    ["may", await describeLevels(client, record.id)],
    ["changed", `${localTime(record.updatedAt)} (version ${record.version})`],
  ]);
};

export const person: Group = {
  kind: "group",
  summary: "Manages people",
  verbs: { list, show, add, edit, password, remove },
};
