/** `hearth pairing`: lists, approves and blocks senders from chat platforms. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";

const list = defineCommand({
  summary: "Lists senders from chat platforms, newest first",
  needs: "x on the first house",
  flags: {},
  examples: ["hearth pairing list", "hearth pairing list --json"],
  async run({ connect, json, output, terminal }) {
    const client = await connect();
    const pairings = await (await client.pairings()).list();
    if (json) output.json(pairings);
    else {
      const names = await createNames(client);
      const now = terminal.now();
      output.table(
        ["CHANNEL", "SENDER", "NAME", "STATE", "PERSON", "SINCE", "CODE"],
        await Promise.all(
          pairings.map(async ({ channel, sender, name, state, person, createdAt, expiresAt }) => [
            channel,
            sender,
            name,
            state,
            person === undefined ? "" : await names.get(person),
            formatAge(createdAt, now),
            expiresAt === undefined ? "" : expiresAt > now ? "valid" : "expired",
          ]),
        ),
        "No senders yet. A new sender who writes to the bot receives a code.",
      );
    }
    return exitCodes.done;
  },
});

const approve = defineCommand({
  summary: "Approves a sender by the code that they received",
  needs: "x on the first house",
  args: [{ name: "CODE" }],
  flags: {
    as: {
      kind: "text",
      value: "PERSON",
      summary: "the person of the house who sends these messages (default: a new person)",
    },
  },
  examples: ["hearth pairing approve 7K3M-Q9TX --as owner", "hearth pairing approve 7K3M-Q9TX"],
  async run({ connect, json, output }, { as }, [code = ""]) {
    const client = await connect();
    const pairing = await (await client.pairings()).approve({ code, ...(as === undefined ? {} : { as }) });
    if (json) output.json(pairing);
    else {
      const person = pairing.person === undefined ? "" : await (await createNames(client)).get(pairing.person);
      output.line(`${safeLine(pairing.name)} on ${safeLine(pairing.channel)} is ${safeLine(person)}`);
    }
    return exitCodes.done;
  },
});

const args = [{ name: "CHANNEL" }, { name: "SENDER" }] as const;

const block = defineCommand({
  summary: "Blocks a sender without a notice to them",
  needs: "x on the first house",
  args,
  flags: {},
  examples: ["hearth pairing block telegram 12345678"],
  async run({ connect, json, output }, _flags, [channel = "", sender = ""]) {
    await (await (await connect()).pairings()).block(channel, sender);
    if (json) output.json({ blocked: { channel, sender } });
    else output.line(`blocked ${safeLine(sender)} on ${safeLine(channel)}`);
    return exitCodes.done;
  },
});

const forget = defineCommand({
  summary: "Removes a sender's approval or block",
  needs: "x on the first house",
  args,
  flags: {},
  examples: ["hearth pairing forget telegram 12345678"],
  async run({ connect, json, output }, _flags, [channel = "", sender = ""]) {
    await (await (await connect()).pairings()).forget(channel, sender);
    if (json) output.json({ forgotten: { channel, sender } });
    else output.line(`forgot ${safeLine(sender)} on ${safeLine(channel)}`);
    return exitCodes.done;
  },
});

const test = defineCommand({
  summary: "Sends a fixed test message to an approved sender",
  needs: "x on the first house",
  args,
  flags: {},
  details:
    "The message goes to the conversation where the sender got the code. To see whether it arrived: hearth channel show CHANNEL",
  examples: ["hearth pairing test telegram 12345678"],
  async run({ connect, json, output }, _flags, [channel = "", sender = ""]) {
    const delivery = await (await (await connect()).pairings()).test(channel, sender);
    if (json) output.json(delivery);
    else output.line(`test message ${safeLine(delivery.state)} for ${safeLine(sender)}`);
    return exitCodes.done;
  },
});

export const pairing: Group = {
  kind: "group",
  summary: "Approves and blocks senders from chat platforms",
  verbs: { list, approve, test, block, forget },
};
