/** Keys with limits, sessions and passwords at the command line, against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MIN_PASSWORD_LENGTH } from "@hearth/protocol";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";
import type { Terminal } from "../terminal.ts";

const PASSWORD = "correct horse battery";
const ID = "0".repeat(26);

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearthAt = (options: Partial<Terminal>, ...words: string[]) => runAt(house, words, options);
const hearth = (...words: string[]) => hearthAt({}, ...words);

const passwordPath = (): string => `/api/agents/${house.owner.id}/password`;
/** The house has this person, and answers requests about their password. */
const expectPassword = (needsCurrent = false): void => {
  house.answer("GET /api/agents/owner", house.owner);
  house.answer(`GET ${passwordPath()}`, { isSet: needsCurrent, needsCurrent });
  house.answer(`POST ${passwordPath()}`, { ended: 2 });
};
/** Answers prompts with these lines, in order, and records the prompts. */
const typing = (...lines: string[]) => {
  const questions: string[] = [];
  return {
    questions,
    async readSecret(question: string) {
      questions.push(question);
      return lines.shift() ?? "";
    },
  };
};

test("a key with limits is created with the ids of the named places", async () => {
  const room = house.addRoom({ name: "Den", kind: "group" });
  house.answer("GET /api/rooms/den", room);
  house.answer("POST /api/keys", { key: "hearth_secret", id: `key_${ID}`, name: "k", agent: house.owner.id });
  const words = ["key", "create", "--name", "k", "--level", "r", "--on", "room:den", "--expires", "2h"];
  expect(await hearth(...words)).toMatchObject({ code: 0, out: "hearth_secret\n" });
  expect(house.requests.at(-1)).toBe(
    `POST /api/keys {"name":"k","scope":{"level":"r","on":["${room.id}"]},"expiresAt":${1_000_000 + 7_200_000}}`,
  );
  await hearth("key", "create", "--name", "k", "--level", "w");
  expect(house.requests.at(-1)).toBe(`POST /api/keys {"name":"k","scope":{"level":"w"}}`);
});

test("invalid limits of a key are refused without a request", async () => {
  for (const words of [
    ["--on", "den"],
    ["--level", "rw"],
    ["--expires", "soon"],
  ]) {
    expect((await hearth("key", "create", "--name", "k", ...words)).code).toBe(2);
  }
  expect(house.requests).toEqual([]);
});

test("the list of keys shows the scope and the expiry of each", async () => {
  const key = { name: "k", agent: house.main.id, createdAt: 1 };
  house.answer("GET /api/keys", [
    { ...key, id: `key_${ID}` },
    { ...key, id: `key_${ID}`, scope: { level: "r" }, revokedAt: 1_000_000 - 65_000 },
    { ...key, id: `key_${ID}`, scope: { level: "w", on: [`room_${ID}`, `house_${ID}`] }, expiresAt: 1_000_000 },
  ]);
  const lines = (await hearth("key", "list")).out.split("\n");
  expect(lines[0]).toMatch(/^ID +NAME +ACTS AS +SCOPE +CREATED +USED +EXPIRES$/);
  expect(lines[1]).toMatch(/@main +all +\d+ min ago +never$/);
  expect(lines[2]).toMatch(/@main +r +\d+ min ago +never +revoked 1 min ago$/);
  expect(lines[3]).toMatch(/@main +w in 2 places +\d+ min ago +never +ended just now$/);
});

test("sessions are listed, ended one by one, and ended all at once", async () => {
  const session = {
    id: `ses_${ID}`,
    agent: house.owner.id,
    about: "Fire\u001b[2Jfox",
    createdAt: 1,
    usedAt: 940_000,
    address: "203.0.113.5",
    expiresAt: 2,
    isThis: false,
  };
  house.answer("GET /api/sessions", [session]);
  house.answer(`DELETE /api/sessions/${session.id}`, { ended: 1 });
  house.answer("DELETE /api/sessions", { ended: 3 });
  expect((await hearth("session", "list")).out).toMatch(
    /ses_0+ +16 min ago +1 min ago +203\.0\.113\.5 +Fire\\e\[2Jfox\n/,
  );
  house.answer(`PATCH /api/sessions/${session.id}`, { ...session, name: "Kitchen" });
  expect(await hearth("session", "rename", session.id, "Kitchen")).toMatchObject({
    code: 0,
    out: `${session.id} is named Kitchen\n`,
  });
  house.answer("POST /api/sessions/pair", { url: "http://127.0.0.1:1/ui/pair#code", expiresAt: 1_000_000 + 300_000 });
  expect(await hearth("session", "pair")).toMatchObject({
    out: "http://127.0.0.1:1/ui/pair#code\n",
    err: "The link works once, within 5 min.\n",
  });
  expect(await hearth("session", "end", session.id)).toMatchObject({ code: 0, out: `ended ${session.id}\n` });
  expect(await hearth("session", "end-all")).toMatchObject({ code: 0, out: "3 sessions ended\n" });
  expect(JSON.parse((await hearth("session", "end-all", "--json")).out)).toEqual({ ended: 3 });
});

test("a password is typed twice, without echo, and sent only to the house", async () => {
  expectPassword();
  const { readSecret, questions } = typing(PASSWORD, PASSWORD);
  const { code, out, err } = await hearthAt({ readSecret }, "person", "password", "owner");
  expect([code, out]).toEqual([0, "@owner has a new password; 2 sessions ended\n"]);
  expect(questions).toEqual(["New password: ", "Repeat it: "]);
  expect(out + err).not.toContain("horse");
  expect(house.requests.at(-1)).toBe(`POST ${passwordPath()} {"password":"${PASSWORD}"}`);
});

test("the current password is asked for if the house requires it", async () => {
  expectPassword(true);
  const { readSecret, questions } = typing("the old password", PASSWORD, PASSWORD);
  expect((await hearthAt({ readSecret }, "person", "password", "owner")).code).toBe(0);
  expect(questions[0]).toBe("Your current password: ");
  expect(house.requests.at(-1)).toContain(`"current":"the old password"`);
  const piped = { stdinIsTerminal: false, readInput: async () => PASSWORD };
  expect(await hearthAt(piped, "person", "password", "owner")).toMatchObject({
    code: 2,
    err: expect.stringContaining("HEARTH_KEY"),
  });
});

test("a password comes from stdin or from a file, without the final newline", async () => {
  expectPassword();
  const piped = { stdinIsTerminal: false, readInput: async () => `  ${PASSWORD}\r\n` };
  expect((await hearthAt(piped, "person", "password", "owner")).code).toBe(0);
  expect(house.requests.at(-1)).toContain(`{"password":"  ${PASSWORD}"}`);
  await writeFile(join(house.home, "secret.txt"), `${PASSWORD}\n`);
  expect(
    (await hearthAt({ cwd: house.home }, "person", "password", "owner", "--password-file", "secret.txt")).code,
  ).toBe(0);
  expect(house.requests.at(-1)).toContain(`{"password":"${PASSWORD}"}`);
});

test("passwords that differ, are too short or have two lines are refused, and never printed", async () => {
  expectPassword();
  const refused = async (options: Partial<Terminal>) => {
    const { code, out, err } = await hearthAt(options, "person", "password", "owner");
    expect([code, out]).toEqual([2, ""]);
    for (const secret of ["horse", "shorty", "other"]) expect(err).not.toContain(secret);
  };
  await refused(typing(PASSWORD, "another horse battery"));
  await refused(typing("shorty"));
  await refused({ stdinIsTerminal: false, readInput: async () => `${PASSWORD}\nother line` });
  expect(house.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

test("without a name, the password is the caller's own, and the result can be JSON", async () => {
  expectPassword();
  // The shortest password that the house takes.
  const piped = { stdinIsTerminal: false, readInput: async () => "x".repeat(MIN_PASSWORD_LENGTH) };
  const { out } = await hearthAt(piped, "person", "password", "--json");
  expect(JSON.parse(out)).toEqual({ agent: house.owner.id, ended: 2 });
  const short = { stdinIsTerminal: false, readInput: async () => "x".repeat(MIN_PASSWORD_LENGTH - 1) };
  expect(await hearthAt(short, "person", "password")).toMatchObject({
    code: 2,
    err: expect.stringContaining(`A password has at least ${MIN_PASSWORD_LENGTH} characters.`),
  });
  const file = join(house.home, "two.txt");
  await writeFile(file, `${PASSWORD}\n\n`);
  expect(await hearth("person", "password", "--password-file", file)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${file} has more than one line.`),
  });
});

test("a code that is wrong is asked for once", async () => {
  house.refuse("POST /api/login-links", { code: "auth.code", message: "Enter a code." });
  const { readSecret, questions } = typing("000000", "111111");
  expect((await hearthAt({ readSecret }, "login")).code).toBe(1);
  expect(questions).toEqual(["Code of your authenticator app, or a recovery code: "]);
  house.refuse("POST /api/login-links", { code: "auth.denied", message: "No." });
  expect((await hearthAt({ readSecret }, "login")).code).toBe(4);
  expect(questions).toHaveLength(1);
});

const factorPath = (): string => `/api/agents/${house.owner.id}/second-factor`;
const IS_OFF = { isOn: false, recoveryCodesLeft: 0, needsCurrent: true };

test("login asks for a code where the house requires one", async () => {
  const link = { url: "http://127.0.0.1:1/login?code=abc", expiresAt: 1_000_000 + 600_000 };
  house.refuse("POST /api/login-links", { code: "auth.code", message: "Enter a code." });
  expect(await hearthAt({ stdinIsTerminal: false }, "login")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Enter a code."),
  });
  expect(house.requests).toEqual(["POST /api/login-links {}"]);
  const typed = typing("123456");
  const asked: string[] = [];
  const readSecret = async (question: string) => {
    asked.push(question);
    house.allow("POST /api/login-links");
    house.answer("POST /api/login-links", link);
    return typed.readSecret(question);
  };
  expect(await hearthAt({ stdinIsTerminal: true, readSecret }, "login")).toMatchObject({
    code: 0,
    out: `${link.url}\n`,
  });
  expect(asked).toHaveLength(1);
  expect(house.requests.at(-1)).toBe('POST /api/login-links {"code":"123456"}');
});

test("a second factor is turned on with the password and the first code, and shows its recovery codes", async () => {
  house.answer(`GET ${factorPath()}`, IS_OFF);
  const uri = "otpauth://totp/Hearth:owner?secret=ABC";
  house.answer("POST /api/second-factor/setup", { setup: "s", secret: "ABC", uri, expiresAt: 1 });
  house.answer("POST /api/second-factor", { recoveryCodes: ["one-code", "two-code"] });
  const { readSecret, questions } = typing(PASSWORD, "123456");
  const shown = await hearthAt({ stdinIsTerminal: true, readSecret }, "second-factor", "on");
  expect(shown.code).toBe(0);
  expect(shown.out).toContain("  one-code\n  two-code\n");
  expect(shown.out).toContain("enter this key there: ABC");
  expect(questions).toHaveLength(2);
  expect(house.requests.slice(-2)).toEqual([
    `POST /api/second-factor/setup {"current":"${PASSWORD}"}`,
    'POST /api/second-factor {"setup":"s","code":"123456"}',
  ]);
  expect((await hearthAt({ stdinIsTerminal: false }, "second-factor", "on")).code).toBe(2);
});

test("a second factor is shown, gets new recovery codes, and is turned off", async () => {
  house.answer(`GET ${factorPath()}`, { isOn: true, since: 0, recoveryCodesLeft: 3, needsCurrent: true });
  expect((await hearth("second-factor", "show")).out).toMatch(/recovery codes left +3/);
  house.answer("POST /api/second-factor/recovery-codes", { recoveryCodes: ["one-code"] });
  const { readSecret } = typing("123456");
  const renewed = await hearthAt({ stdinIsTerminal: true, readSecret }, "second-factor", "codes", "--json");
  expect(JSON.parse(renewed.out)).toEqual({ recoveryCodes: ["one-code"] });
  house.answer(`DELETE ${factorPath()}`, IS_OFF);
  expect(await hearth("second-factor", "off")).toMatchObject({ code: 0, out: "@owner has no second factor\n" });
});

test("passkeys are listed, renamed and removed", async () => {
  const key = { id: "abc", name: "Phone", host: "house.example", createdAt: 0 };
  house.answer(`GET /api/agents/${house.owner.id}/passkeys`, { passkeys: [key], needsCurrent: false });
  expect((await hearth("passkey", "list")).out).toMatch(/abc +Phone +house\.example .*never/);
  house.answer("PATCH /api/passkeys/abc", { ...key, name: "Key" });
  expect(await hearth("passkey", "rename", "abc", "Key")).toMatchObject({ out: "The passkey is named Key\n" });
  house.answer(`DELETE /api/agents/${house.owner.id}/passkeys/abc`, key);
  expect(await hearth("passkey", "remove", "abc")).toMatchObject({ out: "Removed the passkey Phone of @owner\n" });
});
