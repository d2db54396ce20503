/** Invite links at the command line, against a fake house. */
import { expect, test } from "bun:test";
import decodeQR from "qr/decode.js";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

const ID = `inv_${"0".repeat(26)}`;
const NOW = 1_000_000;

const invite = (more: object = {}) => ({
  id: ID,
  house: own.house.house.id,
  level: "w",
  by: own.house.owner.id,
  createdAt: NOW - 60_000,
  expiresAt: NOW + 3_600_000,
  state: "open",
  ...more,
});
const path = (): string => `/api/houses/${own.house.house.id}/invites`;
const expectMe = (): void =>
  own.house.answer("GET /api/me", {
    agent: own.house.owner,
    house: own.house.house,
    version: "1",
    permissions: [],
  });

/** Reads the block characters of a terminal like a camera. */
const readCode = (lines: readonly string[]): string => {
  const rows = lines.flatMap((line) => {
    // oxlint-disable-next-line no-control-regex -- colours of the terminal
    const characters = [...line.replace(/\u001b\[[\d;]*m/g, "")];
    return [
      characters.map((character) => "█▀".includes(character)),
      characters.map((character) => "█▄".includes(character)),
    ];
  });
  const scale = 4;
  const [height, width] = [rows.length * scale, (rows[0]?.length ?? 0) * scale];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true)
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return decodeQR({ width, height, data });
};

test("a new link is printed for pipes, and also as a QR code at a terminal", async () => {
  expectMe();
  const publicUrl = "https://house.example/ui/invite#the-token";
  own.house.answer(`POST ${path()}`, { ...invite(), url: "http://127.0.0.1:1/ui/invite#the-token", publicUrl });
  expect(await hearth("invite", "create", "--expires", "2h", "--note", "Ada")).toMatchObject({
    code: 0,
    out: `${publicUrl}\n`,
    err: expect.stringContaining(`hearth invite revoke ${ID}`),
  });
  expect(own.house.requests.at(-1)).toBe(`POST ${path()} {"level":"w","note":"Ada","expiresAt":${NOW + 7_200_000}}`);
  const { out } = await hearthAt({ stdoutIsTerminal: true }, "invite", "create");
  const [link, ...code] = out.trimEnd().split("\n");
  expect([link, readCode(code)]).toEqual([publicUrl, publicUrl]);
});

test("rooms are sent by id, and an empty list of rooms is refused", async () => {
  expectMe();
  const room = own.house.addRoom({ name: "Den", kind: "group" });
  own.house.answer("GET /api/rooms/den", room);
  own.house.answer(`POST ${path()}`, { ...invite(), url: "http://127.0.0.1:1/ui/invite#t" });
  expect((await hearth("invite", "create", "--level", "r", "--rooms", "den")).err).toContain("on this machine only");
  expect(own.house.requests.at(-1)).toBe(`POST ${path()} {"level":"r","rooms":["${room.id}"]}`);
  expect((await hearth("invite", "create", "--rooms", " ,")).code).toBe(2);
});

test("the list shows places and states; a link is revoked by its id", async () => {
  expectMe();
  own.house.answer(`GET ${path()}`, [
    invite({ note: "Ada" }),
    invite({ state: "used", usedBy: own.house.owner.id }),
    invite({ state: "revoked" }),
  ]);
  const { out } = await hearth("invite", "list");
  expect(out).toMatch(/w +house home +Ada +Owner +1 min ago +open until \d{4}-/);
  expect(out).toMatch(/used by Owner\n.*revoked\n$/);
  own.house.answer(`DELETE ${path()}/${ID}`, invite({ state: "revoked" }));
  expect(await json("invite", "revoke", ID)).toEqual({ invite: ID, state: "revoked" });
  expect((await hearth("invite", "revoke", "ada")).code).toBe(2);
});
