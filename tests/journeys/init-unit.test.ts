/** `hearth service` with a real systemd, on a separate machine. */
import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { CHECKOUT, startSystemdMachine, type SystemdMachine, whyNoSystemdMachine } from "./systemd-machine.ts";

const why = whyNoSystemdMachine();
const title = (text: string): string => (why === undefined ? text : `${text} (skipped: ${why})`);

const UNIT = "hearth-alice";
const LAUNCHER = `${CHECKOUT}/hearth`;
const SYSTEM = `SUDO_USER=alice ${LAUNCHER} service`;

const runOrFail = async (machine: SystemdMachine, script: string): Promise<string> => {
  const { code, out, err } = await machine.run(script);
  if (code !== 0) throw new Error(`${script}: exit code ${code}\n${out}${err}`);
  return out;
};

/** Resolves when the service runs as another process than `before`. */
const restarted = async (machine: SystemdMachine, before: string): Promise<void> => {
  await until(async () => {
    const out = await runOrFail(machine, `systemctl show ${UNIT} --property=MainPID,ActiveState`);
    return out.includes("ActiveState=active") && !out.includes(`MainPID=${before}\n`) && !out.includes("MainPID=0\n");
  });
};

test.skipIf(why !== undefined)(
  title("systemd starts the house, restarts it after a kill and a hang, and lets it stop"),
  async () => {
    await using machine = await startSystemdMachine();
    await runOrFail(machine, "useradd --create-home alice");
    expect(await runOrFail(machine, `${SYSTEM} install --system`)).toBe(`installed ${UNIT}: running\n`);
    const asAlice = `runuser -u alice -- env HOME=/home/alice ${LAUNCHER}`;
    const pidOf = async (): Promise<string> => (await runOrFail(machine, `systemctl show -P MainPID ${UNIT}`)).trim();

    // Files and processes belong to the user, and the log has no login link.
    expect(await runOrFail(machine, "stat -c '%U %a' /home/alice/.hearth")).toBe("alice 700\n");
    const log = await runOrFail(machine, `${SYSTEM} logs --system`);
    expect(log).toMatch(/ready http:/);
    expect(log).not.toContain("log in:");

    // Cells work within the limits of the unit.
    const checks = JSON.parse((await machine.run(`${asAlice} doctor --json`)).out) as readonly {
      name: string;
      ok: boolean;
    }[];
    expect(checks.find(({ name }) => name === "cell bubblewrap")).toMatchObject({ ok: true });

    const first = await pidOf();
    await runOrFail(machine, `kill -KILL ${first}`);
    await restarted(machine, first);

    // A shorter limit, so that the hang is noticed soon.
    await runOrFail(
      machine,
      `mkdir -p /etc/systemd/system/${UNIT}.service.d &&
     printf '[Service]\\nWatchdogSec=2s\\n' >/etc/systemd/system/${UNIT}.service.d/limit.conf &&
     systemctl daemon-reload && systemctl restart ${UNIT}`,
    );
    const second = await pidOf();
    await runOrFail(machine, `kill -STOP ${second}`);
    await restarted(machine, second);

    await runOrFail(machine, `${asAlice} stop`);
    // The manager learns of the end of a process after the command that waited for it.
    await until(async () => {
      const { code, out } = await machine.run(`${SYSTEM} status --system --json`);
      return code === 3 && JSON.parse(out).state === "stopped";
    });

    await runOrFail(machine, `${SYSTEM} uninstall --system`);
    expect(await runOrFail(machine, `ls /home/alice/.hearth; ls /etc/systemd/system`)).toMatch(/hearth\.db/);
    expect((await machine.run(`systemctl cat ${UNIT}`)).code).not.toBe(0);
  },
);

test.skipIf(why !== undefined)(title("a user's systemd starts the house without root"), async () => {
  await using machine = await startSystemdMachine();
  await runOrFail(
    machine,
    "useradd --create-home alice && systemctl start dbus.socket && loginctl enable-linger alice",
  );
  await until(async () => (await machine.run("test -S /run/user/$(id -u alice)/systemd/private")).code === 0);
  const asAlice = `runuser -u alice -- env HOME=/home/alice XDG_RUNTIME_DIR=/run/user/$(id -u alice) ${LAUNCHER}`;
  expect(await runOrFail(machine, `${asAlice} service install`)).toBe("installed hearth: running\n");
  expect(await runOrFail(machine, `${asAlice} status --json`)).toContain('"pid"');
  expect(await runOrFail(machine, `${asAlice} service uninstall`)).toBe("removed hearth\n");
});
