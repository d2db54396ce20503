/**
 * Starts at a terminal with a vault passphrase: the prompt hides the input and repeats until the
 * passphrase is right or the user gives up.
 */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";

const PASSPHRASE = "correct horse battery";

/** Starts the house like a user does, runs `work`, and stops it. */
const whileUp = async (home: string, answers: readonly string[], work: (ask: Ask) => Promise<void>) => {
  const left = [...answers];
  const questions: string[] = [];
  const terminal = createFakeTerminal({
    home,
    async readSecret(question) {
      questions.push(question);
      return left.shift() ?? "";
    },
  });
  const ended = run(["up", "--port", "0"], terminal);
  await Promise.race([terminal.whenWritten("log in: "), ended]);
  const url = /^ready (\S+)$/m.exec(terminal.written.out)?.[1] ?? "";
  const token = (await readFile(join(home, "run/token"), "utf8")).trim();
  await work(async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await fetch(url + path, { ...init, headers, proxy: "" })).json();
  });
  terminal.interrupt();
  expect(await ended).toBe(0);
  for (const answer of answers) expect(terminal.written.out + terminal.written.err).not.toContain(answer);
  return { questions, err: terminal.written.err };
};
type Ask = (path: string, body?: unknown) => Promise<unknown>;

test("the start asks for the passphrase, repeats while it is wrong, and does not ask if none is needed", async () => {
  const home = await mkdtemp(join(tmpdir(), "hearth-up-"));
  try {
    const first = await whileUp(home, [], async (ask) => {
      await ask("/api/houses/home/secrets", { name: "ONE", value: "a value to keep" });
      const to = { source: "passphrase", passphrase: PASSPHRASE };
      expect(await ask("/api/vault/key", to)).toEqual({ state: "open", source: "passphrase" });
    });
    expect(first).toEqual({ questions: [], err: "" });

    const second = await whileUp(home, ["wrong horse battery", PASSPHRASE], async (ask) => {
      expect(await ask("/api/vault")).toEqual({ state: "open", source: "passphrase" });
    });
    expect(second.questions).toEqual(["Passphrase of the vault: ", "Wrong passphrase. Passphrase of the vault: "]);
    expect(second.err).toBe("");

    const third = await whileUp(home, [], async (ask) => {
      expect(await ask("/api/vault")).toMatchObject({ state: "locked", why: "no passphrase was given" });
    });
    expect(third.questions).toHaveLength(1);
    expect(third.err).toContain("NO SECRET CAN BE USED");
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
