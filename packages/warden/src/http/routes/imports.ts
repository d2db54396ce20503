/** Imports of other programs' agents: a preview of a folder, the import, and its report. */
import { type AgentRecord, HearthError, OWNER_LABEL } from "@hearth/protocol";
import { importOperations } from "@hearth/protocol/operations";
import { actorOf } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import type { ImportTarget } from "../imports/take-over.ts";
import { botOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const importRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { reports, turns } = areas;

  /** Returns the agent, if the caller may decide in its house. */
  const agentFor = async (principal: Principal, name: string): Promise<AgentRecord> => {
    const agent = await botOf(options, principal, name);
    await access.require(principal, "x", agent.house);
    return agent;
  };

  bind(app, options, importOperations, {
    state: async () => (await reports.imports()).state(),

    preview: async ({ principal, query }) => {
      const by = await personOf(options, principal);
      const agent = await agentFor(principal, query.agent);
      const { kind, folder } = query;
      const target = createTarget(options, principal, agent);
      return (await reports.imports()).preview({ kind, folder, agent: agent.id, by }, target);
    },

    begin: async ({ principal, body }) => {
      turns.restore.requireNone();
      const by = await personOf(options, principal);
      const imports = await reports.imports();
      const agent = await agentFor(principal, imports.agentOf(body.preview, by));
      return imports.begin(body.preview, body.parts, by, createTarget(options, principal, agent));
    },
  });
};

/** Creates the target of an import: an agent of this house, which changes in the name of the caller. */
const createTarget = ({ areas }: RouteOptions, principal: Principal, agent: AgentRecord): ImportTarget => {
  const { brains, schedule } = areas.agents;
  const { channels, changes } = areas.messaging;
  return {
    async files() {
      const { files } = await (await brains.open(agent)).list();
      return new Map(files.map(({ path, hash }) => [path, hash]));
    },
    jobs: async () => (await schedule.list(agent)).jobs,
    // The caller has `x` on the first house, which channels need.
    channels: async () => new Set(channels.list().map(({ name }) => name)),
    async wouldRun(times) {
      return (await schedule.preview(agent, times)).next.length > 0;
    },
    async writeFile({ to, text, source }) {
      const label =
        source === undefined ? OWNER_LABEL : { ...OWNER_LABEL, integrity: "untrusted" as const, sources: [source] };
      const result = await (await brains.open(agent)).write(to, text, { agent: principal.agent, label });
      if (result.kind === "proposed")
        throw new HearthError("brain.changed", `${to} waits for an approval.`, {
          hint: "Approve or deny it: hearth brain proposals AGENT. Then import again.",
        });
    },
    async addJob(job) {
      await schedule.add(agent, job, principal.agent);
    },
    async addChannel({ name, tokenReference }) {
      await changes.add({ name, kind: name, agent: agent.handle, tokenReference }, actorOf(principal));
    },
  };
};
