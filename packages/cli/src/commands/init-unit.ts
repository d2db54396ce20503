/**
 * `hearth service`: registers the house with the machine's service manager, which starts it and
 * restarts it when it fails.
 */
import { type Context, type Flags, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAlive, readRunFacts } from "../home.ts";
import { type Machine, chooseInitSystem } from "../init/choose.ts";
import type { InitSystem, UnitState, UnitStatus } from "../init/init-system.ts";
import {
  type ServedHome,
  type DaemonUser,
  findServedHome,
  findDaemonUser,
  requireOwnHome,
} from "../init/daemon-user.ts";
import { describeThisMachine } from "../init/this-machine.ts";

const unitFlags = {
  system: { kind: "switch", summary: "a system service instead of a user service; needs root and systemd" },
  as: {
    kind: "text",
    value: "USER",
    summary: "with --system: the user that the house runs as (default: who ran sudo)",
  },
} as const satisfies Flags;

interface FoundUnit extends ServedHome {
  readonly launcher: string;
  readonly manager: InitSystem;
  readonly user: DaemonUser;
}

const DEFAULT_LINES = 20;
const MAX_LINES = 100_000;
const POLL_INTERVAL_MS = 200;
const START_TIMEOUT_MS = 60_000;

/** Creates the commands for a machine. */
export const createInitUnitGroup = (describeMachine: (env: Machine["env"]) => Machine): Group => {
  const findUnit = async (
    { home, terminal }: Context,
    { system, as: userName }: { readonly system: boolean; readonly as: string | undefined },
  ): Promise<FoundUnit> => {
    const machine = describeMachine(terminal.env);
    const manager = chooseInitSystem(machine, { system });
    const user = await findDaemonUser(machine, { system, requestedName: userName });
    const { launcher } = machine;
    return { launcher, manager, user, ...findServedHome(home, machine, user, system) };
  };

  const install = defineCommand({
    summary: "Installs a service that starts the house at boot and restarts it after a failure",
    needs: "access to this machine",
    flags: unitFlags,
    details: [
      "Installs a service of systemd, launchd, or under WSL of the Windows Task Scheduler, and starts it.",
      "Without --system, it is a user service: it runs as you and needs no root.",
      "To apply a new version of Hearth or another PATH, run it again.",
    ].join("\n"),
    examples: [
      "hearth service install",
      "hearth service install --home ~/work-house",
      "sudo hearth service install --system",
    ],
    async run(context, flags) {
      const { json, output, terminal } = context;
      const unit = await findUnit(context, flags);
      const { launcher: program, manager, user, home, service } = unit;
      await requireOwnHome(home, user);
      const oldStatus = await manager.status(service);
      const runFacts = await readRunFacts(home);
      if (runFacts !== undefined && isAlive(runFacts.pid) && !isUp(oldStatus.state)) {
        output.failure({
          message: `The house already runs, outside of a service (process ${runFacts.pid}).`,
          hint: "Stop it with `hearth stop`, then run this command again.",
        });
        return exitCodes.homeInUse;
      }
      const path = terminal.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
      const notes = await manager.install({ name: service, program, home, path, user: user.name });
      const status = await waitUntilUp(unit, terminal.sleep);
      if (json) output.json({ service, manager: manager.kind, home, notes, ...status });
      else output.line(`installed ${service}: ${status.state}`);
      for (const note of notes) if (!json) output.note(note);
      if (status.state === "running") return exitCodes.done;
      output.failure({
        message: `The service does not run: ${status.state}.`,
        hint: "See its log: hearth service logs",
      });
      return exitCodes.failed;
    },
  });

  const status = defineCommand({
    summary: "Shows whether the service is installed and running",
    needs: "access to this machine",
    flags: unitFlags,
    details: `Exits with ${exitCodes.notRunning} when the service does not run.`,
    examples: ["hearth service status", "hearth service status --json"],
    async run(context, flags) {
      const { manager, home, service } = await findUnit(context, flags);
      const currentStatus = await manager.status(service);
      if (context.json) context.output.json({ service, manager: manager.kind, home, ...currentStatus });
      else {
        context.output.facts([
          ["service", service],
          ["manager", manager.kind],
          ["home", home],
          ["state", currentStatus.state],
          ["process", currentStatus.pid?.toString()],
          ["restarts", currentStatus.restarts?.toString()],
          ["file", currentStatus.file],
        ]);
      }
      return isUp(currentStatus.state) ? exitCodes.done : exitCodes.notRunning;
    },
  });

  const logs = defineCommand({
    summary: "Shows the output of the service",
    needs: "access to this machine",
    flags: {
      ...unitFlags,
      lines: {
        kind: "number",
        short: "n",
        value: "N",
        min: 1,
        max: MAX_LINES,
        summary: `the last N lines (default: ${DEFAULT_LINES})`,
      },
      follow: { kind: "switch", short: "f", summary: "follow the log until Ctrl-C" },
    },
    details: "The house's own log, with more details, is logs/hearth.log in the home.",
    examples: ["hearth service logs", "hearth service logs -f", "hearth service logs -n 200"],
    async run(context, { lines = DEFAULT_LINES, follow, ...flags }) {
      const { manager, service } = await findUnit(context, flags);
      const controller = new AbortController();
      const removeInterrupt = context.terminal.onInterrupt(() => controller.abort());
      const child = Bun.spawn([...manager.logs(service, { lines, follow })], {
        stdin: "ignore",
        stdout: "inherit",
        stderr: "inherit",
        signal: controller.signal,
      });
      const code = await child.exited;
      removeInterrupt();
      return code === 0 || controller.signal.aborted ? exitCodes.done : exitCodes.failed;
    },
  });

  const uninstall = defineCommand({
    summary: "Stops the house and removes its service",
    needs: "access to this machine",
    flags: unitFlags,
    details: "The home stays as it is. To start the house yourself: hearth up",
    examples: ["hearth service uninstall", "sudo hearth service uninstall --system"],
    async run(context, flags) {
      const { manager, service } = await findUnit(context, flags);
      const wasRemoved = await manager.uninstall(service);
      if (context.json) context.output.json({ service, removed: wasRemoved });
      else context.output.line(wasRemoved ? `removed ${service}` : `${service} is not installed`);
      return exitCodes.done;
    },
  });

  return {
    kind: "group",
    summary: "Runs the house as a service of this machine",
    verbs: { install, status, logs, uninstall },
  };
};

const isUp = (state: UnitState): boolean => state === "running" || state === "starting";

/** Waits until the house accepts requests, has ended again, or has taken longer than a minute. */
const waitUntilUp = async (
  { manager, service, home }: FoundUnit,
  sleep: Context["terminal"]["sleep"],
): Promise<UnitStatus> => {
  for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
    const status = await manager.status(service);
    const facts = await readRunFacts(home);
    const isAnswering = facts !== undefined && isAlive(facts.pid);
    if ((status.state === "running" && isAnswering) || !isUp(status.state) || waitedMs >= START_TIMEOUT_MS)
      return status;
    await sleep(POLL_INTERVAL_MS);
  }
};

export const unitGroup = createInitUnitGroup(describeThisMachine);
