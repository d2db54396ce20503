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
  async wouldRun(times) {
    return (await (await client.jobs()).preview(agent.id, times)).next.length > 0;
  },
  async writeFile({ to, text, source }) {
    await (await client.brains()).write(agent.id, to, text, undefined, source);
  },
  async addJob(job) {
    await (await client.jobs()).add(agent.id, job);
  },
  async addChannel({ name, tokenReference }) {
    await (await client.channels()).create({ name, kind: name, tokenReference, agent: agent.handle });
  },
});
