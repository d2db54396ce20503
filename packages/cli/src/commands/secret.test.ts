/** The secret commands against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeHouse, type FakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";
import type { Terminal } from "../terminal.ts";

const VALUE = "tok_correct horse";
const ID = "0".repeat(26);

let house: FakeHouse;
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-cli-")));
  house.answer("GET /api/agents/main", house.main);
});
afterEach(() => house.close());

const hearthAt = async (options: Partial<Terminal>, ...words: string[]) => {
  const terminal = createFakeTerminal({ home: house.home, ...options });
  const code = await run(words, terminal);
  expect(terminal.written.out + terminal.written.err).not.toContain("tok_");
  return { code, ...terminal.written };
};
const hearth = (...words: string[]) => hearthAt({}, ...words);
const path = (...more: readonly string[]): string => ["/api/houses", house.house.id, "secrets", ...more].join("/");
const grant = (more: object = {}) => ({
  id: `sgr_${ID}`,
  agent: house.main.id,
  host: "api.example.org",
  as: "bearer",
  by: house.owner.id,
  at: 1,
  ...more,
});
const info = (more: object = {}) => ({ name: "ONE", version: 1, createdAt: 1, setAt: 1, grants: [], ...more });

test("a value is typed without echo, sent to the house, and never printed", async () => {
  house.answer(`POST ${path()}`, info());
  const questions: string[] = [];
  const readSecret = async (question: string) => {
    questions.push(question);
    return VALUE;
  };
  expect(await hearthAt({ readSecret }, "secret", "set", "ONE")).toMatchObject({
    code: 0,
    out: "stored ONE, version 1\n",
  });
  expect(questions).toEqual(["Value: "]);
  expect(house.requests.at(-1)).toBe(`POST ${path()} {"name":"ONE","value":"${VALUE}"}`);
  expect(await hearthAt({ readSecret: async () => "" }, "secret", "set", "ONE")).toMatchObject({ code: 2, out: "" });
});

test("a value from stdin is complete except for the final newline", async () => {
  house.answer(`POST ${path("ONE", "rotate")}`, info({ version: 2 }));
  const piped = { readInput: async () => `-----BEGIN\n${VALUE}\n\n` };
  expect(await hearthAt(piped, "secret", "rotate", "ONE", "--from-stdin")).toMatchObject({
    code: 0,
    out: "rotated ONE, version 2\n",
  });
  expect(house.requests.at(-1)).toBe(
    `POST ${path("ONE", "rotate")} ${JSON.stringify({ value: `-----BEGIN\n${VALUE}\n` })}`,
  );
  const { code, out } = await hearthAt({ ...piped, stdinIsTerminal: false }, "secret", "rotate", "ONE", "--json");
  expect([code, JSON.parse(out)]).toEqual([0, info({ version: 2 })]);
});

test("a value is not an argument: extra words are refused and not sent to the house", async () => {
  expect((await hearth("secret", "set", "ONE", "value")).code).toBe(2);
  expect(house.requests).toEqual([]);
});

test("the list shows the grants of each secret", async () => {
  const more = grant({
    id: `sgr_${"1".repeat(26)}`,
    as: "basic:git",
    port: 8443,
    methods: ["GET", "POST"],
    plain: true,
  });
  house.answer(`GET ${path()}`, [info({ grants: [grant(), more] }), info({ name: "TWO", version: 3 })]);
  const lines = (await hearth("secret", "list")).out.split("\n");
  expect(lines[0]).toMatch(/^NAME +VERSION +CHANGED +GRANTS$/);
  expect(lines[1]).toMatch(
    /^ONE +1 +16 min ago +@?[Mm]ain at api\.example\.org as bearer; @?[Mm]ain for GET, POST at api\.example\.org:8443 as basic:git, also over plain HTTP$/,
  );
  expect(lines[2]).toMatch(/^TWO +3/);
  house.answer(`GET ${path()}`, []);
  expect((await hearth("secret", "list")).out + (await hearth("secret", "list")).err).toContain(
    "hearth secret set NAME",
  );
  expect(JSON.parse((await hearth("secret", "list", "--json")).out)).toEqual([]);
});

test("a grant sends exactly the given fields, with the agent's id", async () => {
  house.answer(`POST ${path("ONE", "grants")}`, grant({ host: "api.example.org" }));
  expect(await hearth("secret", "grant", "ONE", "--agent", "@main", "--host", "API.example.org")).toMatchObject({
    code: 0,
    out: "@main has ONE at api.example.org as bearer\n",
  });
  expect(house.requests.at(-1)).toBe(
    `POST ${path("ONE", "grants")} {"agent":"${house.main.id}","host":"api.example.org","as":"bearer"}`,
  );
  const words = ["--method", "get,POST", "--as", "header:X-Key", "--port", "8443", "--plain"];
  await hearth("secret", "grant", "ONE", "--agent", "main", "--host", "h.example.org", ...words);
  expect(house.requests.at(-1)).toBe(
    `POST ${path("ONE", "grants")} {"agent":"${house.main.id}","host":"h.example.org","as":"header:X-Key","port":8443,"methods":["GET","POST"],"plain":true}`,
  );
});

test.each([
  ["without an agent", ["--host", "h.example.org"]],
  ["without a host", ["--agent", "main"]],
  ["with an invalid method", ["--agent", "main", "--host", "h.example.org", "--method", "FETCH"]],
  ["with an invalid use", ["--agent", "main", "--host", "h.example.org", "--as", "cookie"]],
  ["with a header that carries the request", ["--agent", "main", "--host", "h.example.org", "--as", "header:Host"]],
])("a grant %s is not asked for", async (_what, words) => {
  expect((await hearth("secret", "grant", "ONE", ...words)).code).toBe(2);
  expect(house.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

test("an agent's grants are removed, all of them or those for one host", async () => {
  const other = grant({ id: `sgr_${"1".repeat(26)}`, host: "b.example.org" });
  const strangers = grant({ id: `sgr_${"2".repeat(26)}`, agent: house.owner.id });
  house.answer(`GET ${path()}`, [info({ grants: [grant(), other, strangers] })]);
  for (const { id } of [grant(), other]) house.answer(`DELETE ${path("ONE", "grants", id)}`, {});
  const deleted = () => house.requests.filter((request) => request.startsWith("DELETE"));
  expect((await hearth("secret", "revoke", "ONE", "--agent", "main", "--host", "b.example.org")).out).toBe(
    "@main lost 1 grant of ONE\n",
  );
  expect(deleted()).toEqual([`DELETE ${path("ONE", "grants", other.id)}`]);
  expect(JSON.parse((await hearth("secret", "revoke", "ONE", "--agent", "main", "--json")).out)).toEqual({
    revoked: [grant().id, other.id],
  });
  expect((await hearth("secret", "revoke", "TWO", "--agent", "main")).code).toBe(2);
});

test("a secret of another house is addressed by that house", async () => {
  house.answer("GET /api/houses/annex/secrets", []);
  expect((await hearth("secret", "list", "--house", "annex")).code).toBe(0);
  house.answer("DELETE /api/houses/annex/secrets/ONE", {});
  expect((await hearth("secret", "remove", "ONE", "--house", "annex")).out).toBe("removed ONE\n");
});

test("the master key's status is shown and the key is changed; a passphrase is typed twice, without echo", async () => {
  house.answer("GET /api/vault", { state: "open", source: "file" });
  expect(await hearth("secret", "key")).toMatchObject({ code: 0, out: "open; key: file\n" });
  house.answer("GET /api/vault", { state: "locked", source: "file", why: "its key is missing", fix: "Put it back." });
  expect(await hearth("secret", "key")).toMatchObject({ code: 1, out: "LOCKED: its key is missing. Put it back.\n" });
  house.answer("POST /api/vault/key", { state: "open", source: "passphrase" });
  expect((await hearthAt({ readSecret: async () => VALUE }, "secret", "key", "passphrase")).code).toBe(0);
  expect(house.requests.at(-1)).toBe(`POST /api/vault/key {"source":"passphrase","passphrase":"${VALUE}"}`);
  let answers = ["tok_one phrase", "tok_another"];
  const readSecret = async () => answers.shift() ?? "";
  expect((await hearthAt({ readSecret }, "secret", "key", "passphrase")).code).toBe(2);
  expect((await hearth("secret", "key", "cloud")).code).toBe(2);
  answers = [];
  await hearth("secret", "key", "keyring");
  expect(house.requests.at(-1)).toBe('POST /api/vault/key {"source":"keyring"}');
});
