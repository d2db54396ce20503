/** An example bot: follows the rooms it can see and answers mentions. See README.md. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createClient } from "@hearth/client";

const { HEARTH_URL = "http://127.0.0.1:18789", HEARTH_KEY, ECHO_STATE = "echo-agent.json" } = process.env;
const client = createClient({ baseUrl: HEARTH_URL, token: HEARTH_KEY, fetch, sleep: Bun.sleep });
const { agent, house } = await client.me();
/** The last offset read in each room, for resuming after a restart. */
const offsets: Record<string, number> = existsSync(ECHO_STATE) ? JSON.parse(readFileSync(ECHO_STATE, "utf8")) : {};
const keep = (room: string, offset: number): void => {
  offsets[room] = offset;
  writeFileSync(`${ECHO_STATE}.new`, JSON.stringify(offsets));
  renameSync(`${ECHO_STATE}.new`, ECHO_STATE);
};

const followRoom = async (room: string, signal: AbortSignal): Promise<void> => {
  if (offsets[room] === undefined) keep(room, await client.rooms.head(room));
  for await (const item of client.rooms.follow(room, { after: offsets[room] ?? 0, signal })) {
    if (item.kind === "failed") throw item.error;
    if (item.kind !== "event") continue;
    const { event } = item;
    if (event.type === "message" && event.author !== agent.id && event.mentions.includes(agent.id)) {
      const text = `You said: ${event.body.text.slice(0, 1000).toWellFormed()}`;
      // The house accepts a key once, so a crash after this line causes no second answer.
      await client.rooms.post(room, { text, replyTo: event.id, idempotencyKey: `echo:${event.id}` });
    }
    keep(room, event.offset);
  }
};

// The house's log reports changes of rooms and levels. Start over after a change or an error.
for (let restart = new AbortController(); ; restart.abort(), restart = new AbortController())
  try {
    const { head } = await client.houses.log(house.id, { before: "end", limit: 1 });
    const rooms = (await client.rooms.list()).map(({ id }) => followRoom(id, restart.signal));
    await Promise.race([client.houses.log(house.id, { after: head, wait: 60_000 }), ...rooms]);
  } catch (error) {
    console.error(String(error));
    await Bun.sleep(1000);
  }
