/**
 * People other than the owner have only the rights that were granted to them, at the command line
 * too.
 */
import { expect, test } from "bun:test";
import { createHome, hearth, LAUNCHER, startDaemon } from "./daemon.ts";
import { NOT_ALLOWED, welcomeAda, from } from "./ada.ts";

/** A running command, and its output. */
const follow = (env: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const child = Bun.spawn([LAUNCHER, ...words], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  const stderr = new Response(child.stderr).text();
  let stdout = "";
  return {
    async sees(text: string): Promise<void> {
      while (!stdout.includes(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`it ended: ${stdout}${await stderr}`);
        stdout += new TextDecoder().decode(value);
      }
    },
    async ended() {
      return { code: await child.exited, stderr: await stderr };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};

test("a person reads with r, writes with w, and is refused as soon as the grant is removed", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const ada = from(house, await welcomeAda(house));
  await house.ask("POST", "/api/rooms/den/messages", { text: "for our eyes" });

  // A room without read permission does not exist for its caller.
  expect((await ada.hearth("room", "events", "den")).stderr).toContain('There is no room "den"');
  expect((await ada.hearth("room", "list", "--json")).stdout).toBe("[]\n");

  expect((await house.hearth("grant", "add", "ada", "r", "--on", "den")).stdout).toBe("@ada has r on room den\n");
  expect(await ada.hearth("room", "events", "den")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("for our eyes"),
  });
  const speak = () => ada.hearth("chat", "--room", "den", "-m", "@main help");
  expect(await speak()).toMatchObject({ code: NOT_ALLOWED, stdout: "", stderr: expect.stringContaining("room den") });

  await house.hearth("grant", "add", "ada", "w", "--on", "den");
  expect((await speak()).code).toBe(0);
  const { json } = await house.ask("GET", "/api/rooms/den/events");
  const said = json.events.find(({ body }: { body?: { text: string } }) => body?.text === "@main help");
  expect(said.author).toBe((await house.ask("GET", "/api/agents/ada")).json.id);

  await using following = follow(ada.env, "room", "events", "den", "--follow");
  await following.sees("for our eyes");
  expect((await house.hearth("grant", "remove", "ada", "--on", "den")).code).toBe(0);
  expect((await speak()).code).not.toBe(0);
  expect(await following.ended()).toMatchObject({
    code: NOT_ALLOWED,
    stderr: expect.stringContaining("You may no longer read den"),
  });
  expect((await house.ask("GET", "/api/rooms/den/events")).json.events).toHaveLength(json.events.length);
});

test("a key acts as its agent on the machine of the home too, and a revoked one is refused", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const key = await welcomeAda(house);
  const asAda = (...words: readonly string[]) => hearth([...words, "--home", home.folder], { HEARTH_KEY: key });
  expect(JSON.parse((await asAda("person", "show", "ada", "--json")).stdout).handle).toBe("ada");
  expect((await asAda("status")).code).toBe(NOT_ALLOWED);
  expect((await house.hearth("key", "revoke", "ada")).code).toBe(0);
  expect((await asAda("person", "show", "ada")).code).toBe(NOT_ALLOWED);
});

test("A10: a remote house is reached with its address and a key, and never with the token of a local home", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const { env } = from(house, await welcomeAda(house));
  for (const [words, more, why] of [
    [["room", "list"], { HEARTH_KEY: "" }, "HEARTH_KEY is not set"],
    [["room", "list"], { HEARTH_URL: "nowhere" }, "HEARTH_URL is not an http or https address"],
    [["room", "list"], { HEARTH_URL: "http://house.example" }, "which would reveal the key on the network"],
    [["room", "list", "--home", home.folder], {}, "--home and HEARTH_URL name two different houses"],
  ] as const)
    expect(await hearth(words, { ...env, ...more })).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  await house.stop();
  expect(await hearth(["room", "list"], env)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`No house answers at ${house.url}.`),
  });
});

test("a person with single rights does these duties and nothing else, and the log names the right", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const key = await welcomeAda(house);
  const ada = from(house, key);
  const words = async (...command: readonly string[]) => (await house.hearth(...command)).stdout;
  expect(await words("grant", "add", "ada", "audit")).toBe("@ada has r with audit on house home\n");
  expect(await words("grant", "add", "ada", "secrets")).toBe("@ada has r with secrets, audit on house home\n");
  expect(await words("grant", "add", "ada", "w")).toBe("@ada has w with secrets, audit on house home\n");
  expect((await house.hearth("grant", "add", "main", "audit")).stderr).toContain("only people have rights");

  expect((await ada.hearth("audit", "verify")).code).toBe(0);
  expect((await ada.hearth("secret", "list")).code).toBe(0);
  for (const [command, why] of [
    [["provider", "list"], "x or the right providers on house home"],
    [["status"], "x on house home"],
    [["grant", "add", "ada", "x"], "x on house home"],
    [["secret", "key", "file"], "x on house home"],
  ] as const)
    expect(await ada.hearth(...command)).toMatchObject({ code: NOT_ALLOWED, stderr: expect.stringContaining(why) });

  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(house.url + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const password = "correct horse battery";
  expect((await house.ask("POST", "/api/agents/ada/password", { password })).status).toBe(200);
  const login = await post("/login", { origin: house.url }, { person: "ada", password });
  const browser = { origin: house.url, cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const secret = { name: "ONE", value: "a value of Ada" };
  const store = async (headers: Record<string, string>) =>
    (await post("/api/houses/home/secrets", headers, secret)).status;
  expect([await store({ authorization: `Bearer ${key}` }), await store(browser)]).toEqual([403, 201]);
  const { id } = (await house.ask("GET", "/api/agents/ada")).json;
  const rows: readonly { type: string; body: string }[] = (await house.ask("GET", "/api/houses/home/audit?limit=40"))
    .json.rows;
  const facts = rows.filter(({ type }) => type === "secret").map(({ body }) => JSON.parse(body));
  expect(facts[0]).toMatchObject({ by: id, right: "secrets", name: "ONE" });
  expect(facts.at(-1)).not.toHaveProperty("right");

  const made = JSON.parse(await words("key", "create", "--name", "auditor", "--rights", "audit", "--json"));
  const auditor = from(house, made.key);
  expect((await auditor.hearth("audit", "verify")).code).toBe(0);
  expect((await auditor.hearth("secret", "list")).code).toBe(NOT_ALLOWED);

  expect(await words("grant", "remove", "ada", "audit")).toBe("@ada has w with secrets on house home\n");
  expect((await ada.hearth("audit", "verify")).code).toBe(NOT_ALLOWED);
  expect((await ada.hearth("secret", "list")).code).toBe(0);
});
