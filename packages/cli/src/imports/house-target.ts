/** An agent that receives an import, through the API of its house. */
import type { Client } from "@hearth/client";
import { type AgentRecord, isHearthError } from "@hearth/protocol";
import type { ImportTarget } from "../at-rest/exports-at-rest.ts";

export const createHouseTarget = (client: Client, agent: AgentRecord): ImportTarget => ({
  async files() {
    const { files } = await (await client.brains()).files(agent.id);
    return new Map(files.map(({ path, hash }) => [path, hash]));
  },
  jobs: async () => (await (await client.jobs()).list(agent.id)).jobs,
  async channels() {
    try {
      return new Set((await (await client.channels()).list()).map(({ name }) => name));
    } catch (error) {
      if (isHearthError(error, "auth.denied")) return undefined;
      throw error;
    }
  },
  async checkJob({ cron, every, zone }) {
    await (await client.jobs()).preview(agent.id, timesOf({ cron, every, zone }));
  },
  async writeFile({ to, text, source }) {
    await (await client.brains()).write(agent.id, to, text, undefined, source);
  },
  async addJob({ name, prompt, cron, every, zone, isPaused: paused }) {
    await (await client.jobs()).add(agent.id, { name, prompt, ...timesOf({ cron, every, zone }), paused });
  },
  async addChannel({ name, tokenReference }) {
    await (await client.channels()).create({ name, kind: name, tokenReference, agent: agent.handle });
  },
});

interface Times {
  readonly cron: string | undefined;
  readonly every: string | undefined;
  readonly zone: string | undefined;
}

/** The fields that are present, for a schema that accepts no undefined field. */
const timesOf = ({ cron, every, zone }: Times) => ({
  ...(cron === undefined ? {} : { cron }),
  ...(every === undefined ? {} : { every }),
  ...(zone === undefined ? {} : { zone }),
});
