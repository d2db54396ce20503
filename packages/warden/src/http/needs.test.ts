/**
 * Every operation with every kind of caller: one that lacks the declared level is refused, and
 * others are not.
 */
import { describe, expect, test } from "bun:test";
import {
  ActivationId,
  type AgentId,
  type AgentRecord,
  type HouseId,
  type KeyScope,
  type Level,
  includesLevel,
  type Right,
  rights as allRights,
  type RoomId,
} from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import type { OpenApiDocument } from "./docs/open-api.ts";
import { createFakeHouse, type FakeHouse } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();

/** Levels at the home, in the annex and in its hall. The paths lead to the annex. */
interface Role {
  readonly home?: Level;
  readonly annex?: Level;
  readonly hall?: Level;
  readonly kind?: "bot";
  readonly scope?: KeyScope;
  /** Beside the levels at the home and in the annex. */
  readonly homeRights?: readonly Right[];
  readonly annexRights?: readonly Right[];
}

const roles = {
  stranger: {},
  neighbour: { home: "w" },
  operator: { home: "x" },
  guest: { hall: "r" },
  speaker: { hall: "w" },
  reader: { annex: "r" },
  writer: { annex: "w" },
  admin: { annex: "x" },
  bot: { annex: "w", kind: "bot" },
  "bot that decides": { annex: "x", kind: "bot" },
  everything: { home: "x", annex: "x" },
  "everything, by a key to read": { home: "x", annex: "x", scope: { level: "r" } },
  "everything, by a key to speak": { home: "x", annex: "x", scope: { level: "w" } },
  "everything, by a key to read and two rights": {
    ...{ home: "x", annex: "x" },
    scope: { level: "r", rights: ["audit", "providers"] },
  },
  "the right providers": { home: "r", annex: "w", homeRights: ["providers"], annexRights: ["providers"] },
  "the right secrets": { home: "w", annex: "r", homeRights: ["secrets"], annexRights: ["secrets"] },
  "the right audit": { home: "r", annex: "r", homeRights: ["audit"], annexRights: ["audit"] },
  "the right approve": { home: "w", annex: "w", homeRights: ["approve"], annexRights: ["approve"] },
  "every right, in the other house": { home: "w", homeRights: allRights },
  "every right, by a key to write": {
    ...{ home: "w", annex: "w", homeRights: allRights, annexRights: allRights },
    scope: { level: "w" },
  },
  "one right, by a key with others": {
    ...{ home: "w", annex: "w", homeRights: ["secrets"], annexRights: ["secrets"] },
    scope: { level: "x", rights: ["audit", "providers"] },
  },
} as const satisfies Record<string, Role>;

interface Scene {
  readonly house: FakeHouse;
  readonly annex: HouseId;
  readonly hall: RoomId;
  readonly bot: AgentRecord;
  readonly activation: string;
  readonly key: string;
}

const setUp = async (role: Role): Promise<Scene> => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const { records, permissions, keys, rooms } = house.options.people;
  const owner = { agent: house.owner.id };
  const make = (type: "house" | "room" | "agent", content: unknown, at?: HouseId) =>
    records.mutate(
      { kind: "create", type, ...(at && { house: at }), ...(type === "agent" && { level: "none" }), content },
      owner.agent,
    );
  const annex = (await make("house", { name: "Annex" })).id as HouseId;
  const hall = (await make("room", { name: "Hall of the annex" }, annex)).id as RoomId;
  const bot = (await make("agent", { name: "Butler", kind: "bot" }, annex)) as AgentRecord;
  await permissions.grant({ agent: bot.id, on: annex, level: "w" }, owner);
  const caller = (await make("agent", { name: "Caller", kind: role.kind ?? "human" })).id as AgentId;
  for (const [on, level, rights = []] of [
    [house.house, role.home, role.homeRights],
    [annex, role.annex, role.annexRights],
    [hall, role.hall],
  ] as const)
    if (level !== undefined) await permissions.grant({ agent: caller, on, level, rights: [...rights] }, owner);
  const { id: activation } = house.wake(
    { ...(await rooms.post(hall, { text: "hi" }, owner.agent)), room: hall },
    bot.id,
  );
  const { key } = await keys.create({ name: "k", agent: caller, ...(role.scope && { scope: role.scope }) }, owner);
  return { house, annex, hall, bot, activation, key };
};

/** An independent copy of the rules. */
const levelAt = ({ home, annex, hall, scope }: Role, place: "home" | "annex" | "hall"): Level | undefined => {
  const levels: readonly Level[] = ["r", "w", "x"];
  const ways = { home: [home], annex: [annex], hall: [annex, hall] }[place];
  const has = levels.findLast((level) => ways.includes(level));
  return has !== undefined && scope !== undefined && includesLevel(has, scope.level) ? scope.level : has;
};

const hasRightAt = (role: Role, place: "home" | "annex", right: Right): boolean => {
  const { scope } = role;
  const isInScope = scope === undefined || scope.level === "x" || scope.rights?.includes(right) === true;
  const given = { home: role.homeRights, annex: role.annexRights }[place];
  return isInScope && (role[place] === "x" || given?.includes(right) === true);
};

const isAllowed = (role: Role, needs: string): boolean => {
  if (needs === "nothing" || needs === "credential") return true;
  if (needs.startsWith("sight of ")) return levelAt(role, "hall") !== undefined;
  const [, level, target = "", right] =
    /^([rwx]) on (.+?)(?: or (providers|secrets|audit|approve))?$/.exec(needs) ?? [];
  // Every caller belongs to the first house.
  const place =
    target === "home" || target === "own house" ? "home" : /^(room|activation) /.test(target) ? "hall" : "annex";
  if (right !== undefined && place !== "hall" && hasRightAt(role, place, right as Right)) return true;
  return includesLevel(levelAt(role, place), level as Level);
};

/** A path and body with the annex's ids as parameters. */
const requestOf = (path: string, scene: Scene): string =>
  path
    .replace(/^((?:\/api|\/v1\/stream)\/houses)\/\{\w+\}/, `$1/${scene.annex}`)
    .replace(/^((?:\/api|\/v1\/stream)\/rooms)\/\{\w+\}/, `$1/${scene.hall}`)
    .replace(/^((?:\/api|\/v1\/stream)\/agents)\/\{\w+\}/, `$1/${scene.bot.id}`)
    .replace(/^((?:\/api|\/v1\/stream)\/activations)\/\{\w+\}/, `$1/${scene.activation}`)
    .replace("{agent}", scene.bot.id)
    .replace(/\{\w+\}/g, "x");

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly needs: string;
  readonly takesBody: boolean;
}

const operations: readonly Operation[] = await (async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      needs: operation["x-needs"],
      takesBody: operation.requestBody !== undefined,
    })),
  );
})();

const answerTo = async ({ method, path, needs, takesBody }: Operation, scene: Scene) => {
  const body = needs.endsWith("agent in body") ? { agentName: scene.bot.id } : { house: scene.annex };
  const response = await scene.house.call(requestOf(path, scene), {
    method,
    headers: { authorization: `Bearer ${scene.key}` },
    ...(takesBody && { body: JSON.stringify(body) }),
  });
  const error = response.ok
    ? undefined
    : (JSON.parse(await response.text()) as { error?: { code: string; message: string } }).error;
  await response.body?.cancel().catch(() => {});
  // The level suffices, and the operation also needs a login that no key replaces.
  const needsLogin = error?.message.includes("needs a fresh login") === true;
  return { status: response.status, code: error?.code ?? "", needsLogin };
};

const NEEDS =
  /^(nothing|credential|sight of (house|room|agent) \{\w+\}|[rwx] on (home|own house|house in body|agent in body|(house|room|agent|activation) \{\w+\}( or self)?)|x on (home|house \{\w+\}) or (providers|secrets|audit|approve))$/;

test("A4: every operation declares what it needs", () => {
  for (const { name, needs } of operations) expect([name, needs]).toEqual([name, expect.stringMatching(NEEDS)]);
  expect(operations.length).toBeGreaterThan(60);
});

describe.each(Object.entries(roles))("%s", (_name, role: Role) => {
  test("A4: refuses exactly the callers without the level", async () => {
    // Requests that change nothing share a house.
    const shared = await setUp(role);
    for (const operation of operations) {
      const { name, method, needs } = operation;
      if (needs === "nothing" || needs === "credential") continue;
      const scene = method === "GET" || !isAllowed(role, needs) ? shared : await setUp(role);
      const { status, code, needsLogin } = await answerTo(operation, scene);
      if (scene !== shared) scene.house.http.close();
      const isHidden = status === 404 && /^(record|activation)\.not-found$/.test(code);
      const isRefused = isHidden || (status === 403 && !needsLogin);
      expect([name, needs, status, code, isRefused]).toEqual([name, needs, status, code, !isAllowed(role, needs)]);
    }
    shared.house.http.close();
  });
});

test("an activation's agent may see and stop it, and read its own log, whatever its other levels", async () => {
  const scene = await setUp({});
  const { house, annex, bot, activation } = scene;
  await house.options.people.permissions.revoke({ agent: bot.id, on: annex }, { agent: house.owner.id });
  const { key } = await house.options.people.keys.create({ name: "its own", agent: bot.id }, { agent: house.owner.id });
  const { key: lesser } = await house.options.people.keys.create(
    { name: "its own, to read", agent: bot.id, scope: { level: "r" } },
    { agent: house.owner.id },
  );
  const status = async (method: string, path: string, by = key): Promise<number> =>
    (await house.call(path, { method, headers: { authorization: `Bearer ${by}` } })).status;
  for (const path of [
    `/api/activations/${activation}`,
    `/api/agents/${bot.id}/activations`,
    `/api/agents/${bot.id}/log`,
  ]) {
    expect([path, await status("GET", path)]).toEqual([path, 200]);
    expect([path, (await status("GET", path, lesser)) >= 403]).toEqual([path, true]);
  }
  expect(await status("POST", `/api/activations/${ActivationId.parse(activation)}/stop`)).toBe(200);
});
