/** `hearth room fates`: lists what happened to each person's message in a room. */
import type { Fate, MessageFate } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Names, createNames } from "../show/names.ts";
import { localTime } from "../show/time.ts";

export const fates = defineCommand({
  summary: "Lists the outcome of each person's message, oldest first",
  needs: "r on the room",
  args: [{ name: "ROOM" }],
  flags: {
    after: {
      kind: "number",
      value: "OFFSET",
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      summary: "start after this offset",
    },
  },
  details: "To list incoming channel messages that were ignored: hearth channel show NAME",
  examples: ["hearth room fates den", "hearth room fates den --after 200 --json"],
  async run({ connect, json, output }, { after: firstOffset = 0 }, [roomName = ""]) {
    const client = await connect();
    const { id } = await client.rooms.get(roomName);
    const allFates: MessageFate[] = [];
    for (let after = firstOffset; ;) {
      const page = await client.rooms.fates(id, { after, limit: 1000 });
      allFates.push(...page.fates);
      if (page.fates.length === 0 || page.next === after) break;
      after = page.next;
    }
    if (json) output.json(allFates);
    else {
      const names = await createNames(client);
      output.table(
        ["OFFSET", "AT", "BY", "CHANNEL", "OUTCOME"],
        await Promise.all(
          allFates.map(async ({ offset, at, author, channel = "", fate }) => [
            String(offset),
            localTime(at),
            await names.get(author),
            channel,
            await describeFate(fate, names),
          ]),
        ),
        "No person has written here.",
      );
    }
    return exitCodes.done;
  },
});

const describeFate = async (fate: Fate, names: Names): Promise<string> => {
  switch (fate.kind) {
    case "answered":
      return `answered by ${await names.get(fate.by)}${deliveryWords[fate.delivery]}`;
    case "ignored":
      return "woke no agent";
    case "forgotten":
      return "is older than the kept records";
    case "damaged":
      return "is damaged and woke no agent";
    case "running":
      return `${await names.get(fate.by)} is answering`;
    case "waiting":
      return `${await names.get(fate.by)} waits for a decision`;
    case "queued":
      return `waits for ${await names.get(fate.by)}`;
    case "skipped":
    case "stopped":
    case "failed":
      return `${fate.kind} by ${await names.get(fate.by)}${fate.reason === undefined ? "" : `: ${fate.reason}`}`;
  }
};

const deliveryWords: Readonly<Record<Extract<Fate, { kind: "answered" }>["delivery"], string>> = {
  none: "",
  sent: ", sent",
  queued: ", waits to be sent",
  unknown: ", but it may not have arrived",
  refused: ", but the platform refused it",
};
