/** An admin restores a backup into the running house, over the API alone. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, eventsOf, startDaemon, until } from "./daemon.ts";

const say = (daemon: Daemon, text: string) => daemon.ask("POST", "/api/chat", { agentName: "main", message: text });

/** The run token is new at each start. */
const tokenOf = ({ home }: Daemon): string => readFileSync(join(home, "run/token"), "utf8").trim();

const openHouse = async (folder: string): Promise<Daemon> => {
  const home = join(folder, "house");
  const daemon = await startDaemon(home);
  const values = { "backup.to": join(folder, "backups") };
  expect((await daemon.ask("PATCH", "/api/settings", { values })).status).toBe(200);
  await say(daemon, "remember that the cat is called Felix");
  await until(async () => (await daemon.ask("POST", "/api/backups", {})).status === 202);
  await until(async () => (await daemon.ask("GET", "/api/backups")).json[0]?.last?.number === 1);
  await say(daemon, "remember that the dog is called Rex");
  return daemon;
};

const restore = async (daemon: Daemon): Promise<void> => {
  expect((await daemon.ask("GET", "/api/backups/copies")).json).toMatchObject([{ number: 1, state: "complete" }]);
  const begun = await daemon.ask("POST", "/api/backups/restore", { number: 1 });
  expect([begun.status, begun.json.state]).toEqual([202, "preparing"]);
};

test("a backup replaces the running house, which starts again in its process, on hold, at the same address", async () => {
  using home = createHome();
  await using daemon = await openHouse(home.folder);
  const before = tokenOf(daemon);
  await restore(daemon);
  await until(() => readdirSync(join(daemon.home, "run")).includes("token") && tokenOf(daemon) !== before);
  const asNew = { headers: { authorization: `Bearer ${tokenOf(daemon)}` } };
  await until(() =>
    daemon.ask("GET", "/api/restore", undefined, asNew).then(
      ({ json }) => json.onHold === true,
      () => false,
    ),
  );
  const texts = JSON.stringify(
    (await daemon.ask("GET", "/api/rooms/main/events?limit=1000", undefined, asNew)).json.events,
  );
  expect([texts.includes("Felix"), texts.includes("Rex")]).toEqual([true, false]);
  expect((await daemon.ask("GET", "/api/backups/restore", undefined, asNew)).json.state).toBe("none");
  expect(readdirSync(join(daemon.home, "replaced"))).toContain("hearth.db");
  expect((await daemon.hearth("restore", "continue")).code).toBe(0);
  const answer = await daemon.ask("POST", "/api/chat", { agentName: "main", message: "hello" }, asNew);
  expect(answer.status).toBe(200);
  const { stderr } = await daemon.stop();
  expect(stderr).toContain("The backup is restored. The files from before are in ");
});

test("a house that is killed while it is replaced completes the replacement at its next start", async () => {
  using home = createHome();
  let events: readonly unknown[];
  {
    await using daemon = await openHouse(home.folder);
    events = await eventsOf(daemon, "main");
    await restore(daemon);
    // From the moment when it is accepted, a kill at any time leads to the restored house.
    await until(() => ["replacement/ready", "replaced"].some((name) => existsSync(join(daemon.home, name))));
    await daemon.kill();
  }
  await using daemon = await startDaemon(join(home.folder, "house"));
  expect((await daemon.ask("GET", "/api/restore")).json.onHold).toBe(true);
  expect((await eventsOf(daemon, "main")).length).toBeLessThan(events.length);
});

test("a damaged backup leaves the house as it is, and says which file", async () => {
  using home = createHome();
  await using daemon = await openHouse(home.folder);
  const objects = join(home.folder, "backups/objects");
  const [object = ""] = readdirSync(objects, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  writeFileSync(object, "damaged");
  await restore(daemon);
  await until(async () => (await daemon.ask("GET", "/api/backups/restore")).json.state === "failed");
  expect((await daemon.ask("GET", "/api/backups/restore")).json.problem).toContain("The backup is damaged.");
  expect(JSON.stringify(await eventsOf(daemon, "main"))).toContain("Rex");
});
