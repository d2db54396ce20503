/** Invite links with the real daemon: a guest joins, the link survives a kill, and it works once. */
import { expect, test } from "bun:test";
import { createHome, type Daemon, type Json, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";

const PASSWORD = "correct horse battery";

const post = async (
  house: Daemon,
  path: string,
  body: Json,
): Promise<{ status: number; json: Json; cookie: string }> => {
  const response = await fetch(house.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: house.url, "user-agent": "Guest/1.0" },
    body: JSON.stringify(body),
  });
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { status: response.status, json: await response.json(), cookie };
};

test("A17: a guest joins by a link that survives a kill; of two guests at once one joins", async () => {
  using home = createHome();
  const before = await startDaemon(home.folder);
  await before.ask("POST", "/api/rooms", { content: { name: "Den" } });
  const made = await before.hearth("invite", "create", "--rooms", "den", "--note", "for Ada", "--json");
  const { url, id } = JSON.parse(made.stdout);
  const token = new URL(url).hash.slice(1);
  await before.kill();

  await using after = await startDaemon(home.folder);
  expect((await post(after, "/invite/preview", { token })).json).toMatchObject({ rooms: ["Den"], level: "w" });
  const guests = await Promise.all(
    ["Ada", "Bea"].map((name) => post(after, "/invite", { token, name, password: PASSWORD })),
  );
  expect(guests.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410]);
  const { json, cookie } = guests.find(({ status }) => status === 201) ?? { json: undefined, cookie: "" };
  const headers = { cookie, origin: after.url, "content-type": "application/json" };
  const say = (room: string) =>
    fetch(`${after.url}/api/rooms/${room}/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify({ text: "Hello" }),
    });
  expect((await say(json.room)).status).toBe(201);
  expect((await say("main")).status).toBe(404);
  expect((await post(after, "/login", { person: json.handle, password: PASSWORD })).status).toBe(200);
  const [listed] = JSON.parse((await after.hearth("invite", "list", "--json")).stdout);
  expect(listed).toMatchObject({ id, state: "used", usedBy: json.session.agent, note: "for Ada" });

  const audit = await after.hearth("audit", "export");
  expect(audit.stdout).toContain(id);
  const { stdout, stderr } = await after.stop();
  for (const said of [audit.stdout, stdout, stderr]) expect(said).not.toContain(token);
  for (const [path, bytes] of await readHome(home.folder)) expect([path, bytes.includes(token)]).toEqual([path, false]);
}, 300_000);
