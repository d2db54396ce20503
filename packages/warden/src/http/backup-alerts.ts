/** Alerts administrators when a backup is late or has failed, once for each such time. */
import type { Alerts } from "../channels/index.ts";
import type { Permissions, Records } from "../people/index.ts";
import { type AgentId, type BackupState, type Clock, type HouseId, includesLevel } from "@hearth/protocol";
import { type HomeBackups, isInTrouble } from "./backups.ts";

export interface BackupAlertsOptions {
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly backups: Pick<HomeBackups, "list">;
  readonly house: HouseId;
  readonly records: Pick<Records, "list">;
  readonly permissions: Pick<Permissions, "levelOf">;
  readonly alerts: Pick<Alerts, "send">;
}

/** Interval of checks. The states are in memory, so a check is cheap. */
export const CHECK_MS = 10_000;

export const createBackupAlerts = (options: BackupAlertsOptions) => {
  const { clock, backups, house, records, permissions, alerts } = options;
  /** Who was alerted about the present trouble of each place. */
  const alertedPlaces = new Map<string, { readonly since: number; readonly people: Set<AgentId> }>();

  const listAdmins = async (): Promise<readonly AgentId[]> => {
    const humans = (await records.list("agent")).filter(({ content }) => content.kind === "human");
    const levels = await Promise.all(humans.map(({ id }) => permissions.levelOf({ agent: id }, house)));
    return humans.filter((_, index) => includesLevel(levels[index], "x")).map(({ id }) => id);
  };

  const check = async (place: BackupState, signal: AbortSignal): Promise<void> => {
    const name = place.target ?? "";
    if (!isInTrouble(place)) return void alertedPlaces.delete(name);
    const trouble = alertedPlaces.get(name) ?? { since: clock.now(), people: new Set() };
    alertedPlaces.set(name, trouble);
    for (const admin of await listAdmins()) {
      if (trouble.people.has(admin) || signal.aborted) continue;
      // In the person's quiet hours the next check sends it.
      if ((await alerts.send(admin, toAlert(place, trouble.since), signal)) !== "quiet") trouble.people.add(admin);
    }
  };

  return {
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        for (const place of await backups.list()) await check(place, signal);
        await clock.sleep(CHECK_MS, signal);
      }
    },
  };
};

/** Returns the alert, without the address of the place and the error, which a chat platform would store. */
const toAlert = ({ target, problem }: BackupState, since: number) => ({
  title: problem === undefined ? "A backup is late" : "A backup failed",
  text: `${target === undefined ? "The folder for backups" : `The target ${target}`} needs attention: Settings → Backup & storage.`,
  path: "/settings/backups",
  about: `backup ${target ?? ""} ${since}`,
  at: since,
});
