/** The house as a whole: identity, status, login links, shutdown. */
import { HearthError, HouseId } from "@hearth/protocol";
import type { Peer, Principal } from "../../people/index.ts";
import { actorOf } from "../../people/lazy.ts";
import { backupTargetOperations, daemonOperations, securityOperations } from "@hearth/protocol/operations";
import { beginRestore, isInTrouble, listCopies, noBackupTargetError, testTarget } from "../backups.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const houseRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { records, secondFactors } = areas.people;

  /** Uses up the caller's code. Returns whether the caller has a second factor. */
  const confirmSecondFactor = async (principal: Principal, code: string | undefined, peer: Peer): Promise<boolean> => {
    if (!(await secondFactors.isOn(principal.agent))) return false;
    if (code === undefined)
      throw new HearthError("auth.code", "Enter a code of your authenticator app.", {
        hint: "Send it as `code`; at a terminal, `hearth login` asks for it.",
      });
    await secondFactors.use(await access.self(principal), code, peer);
    return true;
  };

  bind(app, options, daemonOperations, {
    me: async ({ principal }) => {
      const agent = await access.self(principal);
      const house = await records.get("house", agent.house);
      const permissions = [...(await access.permissions(principal))];
      const home = permissions.some(({ on }) => on === access.home) ? { home: access.home } : {};
      const onHold = areas.turns.restore.isHeld() ? { onHold: true as const } : {};
      const { voice, descriptions } = areas.kernel.config.current();
      const describes = descriptions === undefined ? {} : { describes: true as const };
      const transcribes = voice?.transcribe === undefined ? {} : { transcribes: true as const };
      const speaks = voice?.speak === undefined ? {} : { speaks: true as const };
      const { version } = areas.daemon;
      const isAdmin = permissions.some(({ on, level }) => on === access.home && level === "x");
      const needsBackup =
        isAdmin && (await areas.reports.backups()).some(isInTrouble) ? { needsBackup: true as const } : {};
      return {
        agent,
        house,
        version,
        permissions,
        ...home,
        ...onHold,
        ...transcribes,
        ...describes,
        ...speaks,
        ...needsBackup,
      };
    },

    status: async () => areas.reports.status(),

    doctor: async ({ query }) => areas.reports.doctor({ deep: query.deep === "true" }),

    backups: async () => areas.reports.backups(),

    makeBackup: async ({ body }) => areas.reports.makeBackup(body.target),

    backupCopies: async ({ query }) => listCopies(await areas.reports.restorer(), query.target),

    restoreBackup: async ({ principal, body }) => beginRestore(await areas.reports.restorer(), body, principal.agent),

    backupRestore: async () => (await areas.reports.restorer()).state(),

    log: async ({ query }) => areas.reports.log(query),

    storage: async () => areas.reports.measure(),

    update: async () => ({ running: areas.daemon.version, ...(await areas.reports.update()) }),

    loginLink: async ({ principal, caller, body }) => {
      const isConfirmed = await confirmSecondFactor(principal, body.code, caller.peer);
      return areas.daemon.loginLink(principal, { method: isConfirmed ? "link-code" : "link" });
    },

    stop: ({ principal }) => {
      areas.daemon.stop(principal.agent);
      return { stopping: true } as const;
    },
  });

  backupTargetRoutes(app, options);

  bind(app, options, securityOperations, {
    report: async ({ principal }) => {
      // Administrators of the home decide in other houses only with a grant there.
      const adminPermissions = (await access.permissions(principal)).filter(({ level }) => level === "x");
      const houses = adminPermissions.flatMap(({ on }) => HouseId.safeParse(on).data ?? []);
      return areas.reports.security(new Set(houses));
    },
  });
};

const backupTargetRoutes = (app: App, options: RouteOptions): void => {
  const { areas } = options;
  bind(app, options, backupTargetOperations, {
    set: async ({ principal, params, body }) => {
      await (await areas.reports.backupTargets()).set(params.name, body, actorOf(principal));
      return areas.reports.backups();
    },

    remove: async ({ principal, params }) => {
      if (areas.kernel.config.current().backup?.targets.has(params.name) !== true)
        throw noBackupTargetError(params.name);
      await (await areas.reports.backupTargets()).remove(params.name, actorOf(principal));
    },

    test: async ({ params }) => testTarget(await areas.reports.restorer(), params.name),
  });
};
