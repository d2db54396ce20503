/** Compares the items of a source with an agent, and imports those that the agent lacks. */
import type { Client } from "@hearth/client";
import { type AgentRecord, isHearthError, type Job } from "@hearth/protocol";
import type { ChannelItem, FileItem, Item, JobItem } from "./plan.ts";

/**
 * `new`: the item will be imported. `replaces`: it will replace another text, which stays in the
 * version history. `same`: the agent already has it. `left`: it is not imported. `failed`: the
 * house refused it.
 */
export type Fate = "new" | "replaces" | "same" | "left" | "failed";

export interface Compared {
  readonly item: Item;
  readonly fate: Fate;
  readonly why?: string;
}

export interface Target {
  readonly client: Client;
  readonly agent: AgentRecord;
}

interface Present {
  /** Hashes of the agent's files, by path. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly jobs: readonly Job[];
  /** Names of the channels. Undefined if the user may not see them. */
  readonly channels: ReadonlySet<string> | undefined;
}

const readPresent = async ({ client, agent }: Target, items: readonly Item[]): Promise<Present> => {
  const [{ files }, { jobs }] = await Promise.all([
    client.brains().then((brains) => brains.files(agent.id)),
    client.jobs().then((calls) => calls.list(agent.id)),
  ]);
  const hasChannels = items.some(({ kind }) => kind === "channel");
  return {
    hashes: new Map(files.map(({ path, hash }) => [path, hash])),
    jobs,
    channels: hasChannels ? await channelsOf(client) : new Set(),
  };
};

const channelsOf = async (client: Client): Promise<ReadonlySet<string> | undefined> => {
  try {
    return new Set((await (await client.channels()).list()).map(({ name }) => name));
  } catch (error) {
    if (isHearthError(error, "auth.denied")) return undefined;
    throw error;
  }
};

/** Compares items with the target, and changes nothing. */
export const compare = async (target: Target, items: readonly Item[]): Promise<readonly Compared[]> => {
  const present = await readPresent(target, items);
  const taken = new Set<string>();
  return items.map((item) => {
    if (item.kind === "left") return { item, fate: "left", why: item.why };
    const place = `${item.kind} ${item.kind === "file" ? item.to : item.name}`;
    if (taken.has(place)) return { item, fate: "left", why: "Another part of the source has the same name." };
    taken.add(place);
    return compareOne(present, item);
  });
};

const compareOne = ({ hashes, jobs, channels }: Present, item: FileItem | JobItem | ChannelItem): Compared => {
  switch (item.kind) {
    case "file": {
      const known = hashes.get(item.to);
      return { item, fate: known === undefined ? "new" : known === hashOf(item.text) ? "same" : "replaces" };
    }
    case "job": {
      const known = jobs.find(({ name }) => name === item.name);
      if (known === undefined) return { item, fate: "new" };
      if (known.prompt === item.prompt) return { item, fate: "same" };
      return { item, fate: "left", why: `The agent has another job "${item.name}".` };
    }
    case "channel":
      if (channels === undefined)
        return { item, fate: "left", why: "Only an administrator of the first house can add a chat platform." };
      return { item, fate: channels.has(item.name) ? "same" : "new" };
  }
};

const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Imports the items that are `new` or `replaces`. If the house refuses one, the others are still imported. */
export const take = async (target: Target, compared: readonly Compared[]): Promise<readonly Compared[]> => {
  const done: Compared[] = [];
  for (const each of compared) {
    if (each.fate !== "new" && each.fate !== "replaces") {
      done.push(each);
      continue;
    }
    try {
      await takeOne(target, each.item);
      done.push(each);
    } catch (error) {
      if (!isHearthError(error) || error.code === "house.unreachable") throw error;
      done.push({ item: each.item, fate: "failed", why: error.message });
    }
  }
  return done;
};

const takeOne = async ({ client, agent }: Target, item: Item): Promise<void> => {
  switch (item.kind) {
    case "file":
      await (await client.brains()).write(agent.id, item.to, item.text, undefined, item.source);
      return;
    case "job": {
      const { name, prompt, cron, every, zone, isPaused } = item;
      await (
        await client.jobs()
      ).add(agent.id, {
        name,
        prompt,
        ...(cron === undefined ? {} : { cron }),
        ...(every === undefined ? {} : { every }),
        ...(zone === undefined ? {} : { zone }),
        paused: isPaused,
      });
      return;
    }
    case "channel": {
      const { name, tokenReference } = item;
      await (await client.channels()).create({ name, kind: name, tokenReference, agent: agent.handle });
      return;
    }
    case "left":
  }
};
