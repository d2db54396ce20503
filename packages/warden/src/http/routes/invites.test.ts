import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, HOST } from "../fakes/fake-house.ts";
import { INVALID_CREDENTIALS_OF_PEER } from "../../people/credentials/login-attempts.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";

const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const post = (path: string, body: unknown, headers: Record<string, string> = { authorization: "" }) =>
    house.call(path, { method: "POST", headers, body: JSON.stringify(body) });
  const create = async (body: object = { level: "w" }) =>
    (await post(`/api/houses/${house.house}/invites`, body, {})).json();
  const tokenOf = ({ url }: { readonly url: string }): string => new URL(url).hash.slice(1);
  return { house, post, create, tokenOf };
};

test("A18: the token of a link is behind `#`, which browsers send to no server, and is shown once", async () => {
  const { house, create, tokenOf } = await setUp();
  const made = await create();
  expect(made.url).toMatch(new RegExp(`^http://${HOST}/ui/invite#[\\w-]{43}$`));
  const listed = await (await house.call(`/api/houses/${house.house}/invites`)).text();
  expect(JSON.parse(listed)).toMatchObject([{ id: made.id, state: "open" }]);
  expect(listed).not.toContain(tokenOf(made));
});

test("a guest sees the offer, and accepts it with a name and a password", async () => {
  const { house, post, create, tokenOf } = await setUp();
  const token = tokenOf(await create({ level: "r", rooms: [house.room.id] }));
  const preview = await post("/invite/preview", { token });
  expect([preview.status, await preview.json()]).toEqual([
    200,
    { house: "Home", by: "Owner", level: "r", rooms: ["Hall"], expiresAt: expect.any(Number) },
  ]);
  const accepted = await post("/invite", { token, name: "Ada", password: PASSWORD });
  expect([accepted.status, await accepted.json()]).toEqual([
    201,
    { session: expect.objectContaining({ isThis: true }), handle: "ada", room: "hall" },
  ]);
  const cookie = accepted.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(accepted.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Strict");
  const rooms = await (await house.call("/api/rooms", { headers: { cookie } })).json();
  expect(rooms.map(({ handle }: { handle: string }) => handle)).toEqual(["hall"]);
  expect((await post("/invite/preview", { token })).status).toBe(410);
});

test("another site's page cannot use a link", async () => {
  const { post, create, tokenOf } = await setUp();
  const token = tokenOf(await create());
  for (const headers of [{ origin: "http://evil.example" }, { "sec-fetch-site": "cross-site" }] as Record<
    string,
    string
  >[])
    for (const path of ["/invite", "/invite/preview"]) {
      const body = { token, name: "Ada", password: PASSWORD };
      expect((await post(path, body, { authorization: "", ...headers })).status).toBe(403);
    }
  expect((await post("/invite/preview", { token })).status).toBe(200);
});

test("invalid tokens count against their address, and a valid link still works", async () => {
  const { post, create, tokenOf } = await setUp();
  const token = tokenOf(await create());
  const statuses: number[] = [];
  for (let index = 0; index <= INVALID_CREDENTIALS_OF_PEER.burst; index += 1)
    statuses.push((await post("/invite/preview", { token: `guess ${index}` })).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([410, 429]);
  expect((await post("/invite", { token: "guess", name: "Ada", password: PASSWORD })).status).toBe(429);
  expect((await post("/invite", { token, name: "Ada", password: PASSWORD })).status).toBe(201);
});

test("the body of a guest is small", async () => {
  const { post } = await setUp();
  expect((await post("/invite", { token: "x", name: "x".repeat(9_000), password: PASSWORD })).status).toBe(413);
});
