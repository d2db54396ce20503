/**
 * The daemon: opens the areas of a house from the bottom up, and starts and closes them. The
 * machine's parts are passed in. Three parts are opened before their area, because lower areas need
 * them: the vault (people seal seeds, models refer to secrets), the backends of cells and the brains (both bind
 * policy).
 */
import { createBrains, openAgents, withExternalTools } from "./agents/index.ts";
import { createBackends, createIsIsolated, openCells } from "./cells/index.ts";
import { openChannels } from "./channels/index.ts";
import { createPreload, openHttp } from "./http/index.ts";
import { createAuditForwarding, createDaemonAudit, openKernel } from "./kernel/index.ts";
import { openModels } from "./models/index.ts";
import { openPeople } from "./people/index.ts";
import { createSecrets, openPolicy, openVault } from "./policy/index.ts";
import { openTurns } from "./turns/index.ts";
import type { BackgroundWork, Warden, WardenOptions } from "./warden-options.ts";

export type { Warden, WardenOptions } from "./warden-options.ts";

export const createWarden = async (options: WardenOptions): Promise<Warden> => {
  const { daemon, stages } = options;
  const { further: externalTools = {}, memory } = options.agents ?? {};
  const table = withExternalTools(externalTools);

  const kernel = await openKernel(options.kernel);
  const { supervisor, signal, findings, world, log, store, streams, blobs, audit, config, configVersion } = kernel;
  const { redaction } = options.secrets;
  const vault = await openVault({ world, log, store, streams, ...options.secrets });
  const people = await openPeople({ kernel, table, seeds: vault.own, ...options.people });
  const { house, records } = people;
  const secrets = createSecrets({ vault, house, redaction, ...options.references });
  const { references } = secrets;
  kernel.telemetry.follow({ version: daemon.version, redact: redaction.text, references });
  const models = openModels({ kernel, references, ...options.models });
  const backends = createBackends(options.cells.backends);
  const isIsolated = createIsIsolated(backends, () => kernel.config.current().cells.backend);
  const brains = createBrains({ world, log, store, streams, blobs, ...options.brains });
  const policy = await openPolicy({ kernel, people, models, table, isIsolated, brains, redaction, stages });
  const { egress, scratch, hasOcr } = options.cells;
  const cells = openCells({ kernel, people, models, secrets, policy, backends, brains, egress, scratch, hasOcr });
  const messaging = openChannels({
    kernel,
    people,
    models,
    secrets,
    policy,
    cells,
    subtle: daemon.subtle,
    table: options.channels,
  });
  const agents = openAgents({
    kernel,
    people,
    models,
    secrets,
    policy,
    messaging,
    cells,
    brains,
    table,
    externalTools,
    memory,
  });
  const turns = openTurns({ kernel, people, models, policy, messaging, cells, agents });
  const httpApp = openHttp({ kernel, people, secrets, models, policy, messaging, cells, agents, turns, daemon });

  const { http } = httpApp;
  const { activations, restore } = turns;
  const daemonAudit = createDaemonAudit({
    log,
    audit,
    config,
    configVersion,
    version: daemon.version,
    pid: daemon.pid,
  });
  const forwarding = createAuditForwarding({ world, log, config, store, audit, supervisor, references });
  const warming = createPreload(kernel.world.clock, [http.warm, activations.warm, brains.warm]);
  const readers: Readonly<Record<string, BackgroundWork>> = {
    dispatch: turns.dispatch,
    removals: turns.removals,
    dailyLog: agents.dailyLog,
    schedule: agents.schedule,
    outbox: messaging.outbox,
    inbound: messaging.inbound,
    push: messaging.push,
    alerts: messaging.alerts,
    retention: agents.retention,
    approvals: policy.approvals,
    own: httpApp.ownStreams,
    tunnel: httpApp.tunnel,
    backupAlerts: httpApp.backupAlerts,
    forwarding,
    ...options.background,
  };
  let reading: readonly Promise<void>[] = [];

  const begin = (): void => {
    const runs = Object.entries(readers).map(([name, { run }]) => supervisor.run(name, run, signal));
    reading = [...reading, ...runs];
    httpApp.acceptWork();
    policy.holds.recheck();
  };
  restore.onDecided(begin);

  return {
    http,
    vault,
    loginLink: httpApp.loginLink,
    resume: activations.resume,
    isOnHold: findings.isOnHold,
    async start() {
      await daemonAudit.recordStart();
      await kernel.telemetry.waitForObservers();
      await brains.repeatHalts((id) => records.find("agent", id));
      await activations.recover();
      reading = [supervisor.run("warming", warming.run, signal)];
      if (!findings.isOnHold()) begin();
    },
    async [Symbol.asyncDispose]() {
      kernel.close();
      httpApp.close();
      await Promise.all(reading);
      await activations[Symbol.asyncDispose]();
      await cells.pool[Symbol.asyncDispose]();
      await turns.checkpoints[Symbol.asyncDispose]();
      await agents[Symbol.asyncDispose]();
      // A daemon that failed to start has reported no start, so it reports no stop.
      if (reading.length > 0) {
        await daemonAudit.recordStop(httpApp.stoppedBy());
        await forwarding.finish();
      }
      await kernel[Symbol.asyncDispose]();
    },
  };
};
