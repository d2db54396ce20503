/** `hearth passkey`: lists, names and removes passkeys. A browser adds them. */
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { withoutAt } from "../show/agent-list.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";

const list = defineCommand({
  summary: "Lists the passkeys of a person, newest first",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PERSON", optional: true }],
  flags: {},
  details: "Without PERSON, lists your own. To add one, use a browser: Settings → Account.",
  examples: ["hearth passkey list", "hearth passkey list ana --json"],
  async run(context, _flags, [personName]) {
    const { connect, json, output, terminal } = context;
    const client = await connect();
    const { id: agent } = await findPerson(client, personName);
    const { passkeys } = await (await client.passkeys()).list(agent);
    if (json) output.json(passkeys);
    else {
      output.table(
        ["ID", "NAME", "ADDRESS", "ADDED", "LAST USE"],
        passkeys.map(({ id, name, host, createdAt, usedAt }) => [
          id,
          name,
          host,
          formatAge(createdAt, terminal.now()),
          usedAt === undefined ? "never" : formatAge(usedAt, terminal.now()),
        ]),
        "No passkeys. To add one, open Settings → Account in a browser.",
      );
    }
    return exitCodes.done;
  },
});

const rename = defineCommand({
  summary: "Names one of your passkeys",
  needs: "a credential",
  args: [{ name: "PASSKEY" }, { name: "NAME" }],
  flags: {},
  examples: ["hearth passkey rename 3q2-7wAA Phone"],
  async run({ connect, json, output }, _flags, [id = "", name = ""]) {
    const passkey = await (await (await connect()).passkeys()).edit(id, { name });
    if (json) output.json(passkey);
    else output.line(`The passkey is named ${safeLine(passkey.name)}`);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a passkey of a person",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PASSKEY" }, { name: "PERSON", optional: true }],
  flags: {},
  details: [
    "For a lost device. The passkey can no longer be used to log in. Open sessions continue. To end your own: hearth session end-all",
    "Without PERSON, removes one of yours.",
  ].join("\n"),
  examples: ["hearth passkey remove 3q2-7wAA", "hearth passkey remove 3q2-7wAA ana"],
  async run({ connect, json, output }, _flags, [id = "", personName]) {
    const client = await connect();
    const { id: agent, handle } = await findPerson(client, personName);
    const passkey = await (await client.passkeys()).remove(agent, id);
    if (json) output.json(passkey);
    else output.line(`Removed the passkey ${safeLine(passkey.name)} of @${safeLine(handle)}`);
    return exitCodes.done;
  },
});

const findPerson = async (client: Awaited<ReturnType<Context["connect"]>>, name: string | undefined) =>
  name === undefined ? (await client.me()).agent : client.agents.get(withoutAt(name));

export const passkey: Group = {
  kind: "group",
  summary: "Lists, names and removes passkeys, which log people in without a password",
  verbs: { list, rename, remove },
};
