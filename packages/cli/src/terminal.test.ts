/**
 * The command as a process with real pipes: its output arrives complete, and its input is taken
 * unchanged or refused.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeHouse, createFakeHouse } from "./fakes/fake-house.ts";

const MAIN = join(import.meta.dir, "main.ts");

let house: FakeHouse;
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-pipe-")));
});
afterEach(() => house.close());

/** Runs `script`, in which `hearth` is the command; `script` reports its exit code on stderr. */
const shell = async (script: string, stdin: Uint8Array = new Uint8Array()) => {
  const prelude = `hearth() { "$BUN" --no-install --no-env-file "$MAIN" "$@"; echo "ended with $?" >&2; }`;
  const child = Bun.spawn(["sh", "-c", `${prelude}\n${script}`], {
    env: { ...process.env, HEARTH_HOME: house.home, BUN: process.execPath, MAIN },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  return { out: out.trim(), err };
};

describe("several megabytes", () => {
  const LENGTH = 4_000_000;
  beforeEach(() => {
    const den = house.addRoom({ name: "Den", kind: "group" });
    for (let count = 0; count < 40; count += 1) house.postMessage(den, house.owner, "x".repeat(LENGTH / 40));
  });
  const events = "hearth room events den --after 0 --json";

  test("arrive completely in a pipe with a fast or slow reader", async () => {
    for (const reader of ["wc -c", "(sleep 1; wc -c)"]) {
      const { out, err } = await shell(`${events} | ${reader}`);
      expect(Number(out)).toBeGreaterThan(LENGTH);
      expect(err).toBe("ended with 0\n");
    }
  });

  test("arrive completely on stderr", async () => {
    house.refuse("GET /api/status", { code: "house.bug", message: "y".repeat(LENGTH) });
    const { out, err } = await shell("hearth status 2>&1 >/dev/null | (sleep 1; wc -c)");
    expect({ long: Number(out) > LENGTH, err }).toEqual({ long: true, err: "" });
  });

  test("are dropped silently when the reader closes the pipe", async () => {
    const { out, err } = await shell(`${events} | head -c 5`);
    expect(out).toHaveLength(5);
    expect(err).toBe("ended with 0\n");
  });
});

describe("a message on stdin", () => {
  test("is refused and not sent if it is not UTF-8", async () => {
    const { out, err } = await shell("hearth chat", Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
    expect(out).toBe("");
    expect(err).toStartWith("hearth: stdin is not UTF-8 text.\n  Convert it first");
    expect(err).toEndWith("\nended with 2\n");
    expect(house.requests).toEqual([]);
  });

  test("is sent unchanged if it is UTF-8", async () => {
    house.onPost = (message) => house.wake(message, house.main).reply(message.body.text);
    expect(await shell("hearth chat main", new TextEncoder().encode("café 🏡\n"))).toEqual({
      out: "café 🏡",
      err: "ended with 0\n",
    });
  });
});
