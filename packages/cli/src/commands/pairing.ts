/** Who is heard from chat platforms: strangers who were told a code, people who were let in, and those who were blocked. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../names.ts";
import { safeLine } from "../safe-text.ts";
import { ago } from "../time.ts";

const list = defineCommand({
  summary: "Lists who has written from chat platforms, newest first",
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
            ...[channel, sender, name, state],
            person === undefined ? "" : await names.of(person),
            ago(createdAt, now),
            expiresAt === undefined ? "" : expiresAt > now ? "holds" : "too old",
          ]),
        ),
        "Nobody has written yet. Whoever writes to the bot is told a code.",
      );
    }
    return exitCodes.done;
  },
});

const approve = defineCommand({
  summary: "Lets someone in by the code that they were told",
  needs: "x on the first house",
  args: [{ name: "CODE" }],
  flags: {
    as: { kind: "text", value: "PERSON", summary: "who they are in the house (default: a new person of their name)" },
  },
  examples: ["hearth pairing approve 7K3M-Q9TX --as owner", "hearth pairing approve 7K3M-Q9TX"],
  async run({ connect, json, output }, { as }, [code = ""]) {
    const client = await connect();
    const pairing = await (await client.pairings()).approve({ code, ...(as === undefined ? {} : { as }) });
    if (json) output.json(pairing);
    else {
      const person = pairing.person === undefined ? "" : await (await createNames(client)).of(pairing.person);
      output.line(`${safeLine(pairing.name)} on ${safeLine(pairing.channel)} is ${safeLine(person)}`);
    }
    return exitCodes.done;
  },
});

const args = [{ name: "CHANNEL" }, { name: "SENDER" }] as const;

const block = defineCommand({
  summary: "Hears someone no more, and tells them nothing",
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
  summary: "Makes someone a stranger again",
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

export const pairing: Group = {
  kind: "group",
  summary: "Who is heard from chat platforms",
  verbs: { list, approve, block, forget },
};
