import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { fakeStatus } from "../fakes/fake-house.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

describe("status and doctor", () => {
  test("status prints facts, or the house's own answer", async () => {
    own.house.answer("GET /api/status", fakeStatus);
    const { code, out } = await hearth("status");
    expect(code).toBe(0);
    expect(out).toContain("url          http://127.0.0.1:1\n");
    expect(out).toContain("started      1 min ago\n");
    expect(out).toContain("durability   process: accepted messages survive a killed process, but not a power cut\n");
    expect(out).toContain("activations  5 running, 4 queued\n");
    expect(await json("status")).toEqual(fakeStatus);
  });

  test("doctor --security lists each finding with the command that fixes it, and exits with 1 for a serious one", async () => {
    const finding = (severity: string) => ({
      id: "file.mode",
      severity,
      what: "Others\u001b[2J read it.",
      where: "/home/keys",
      fix: { kind: "command", command: "chmod go-rwx /home/keys" },
      instead: "Or move it.",
    });
    own.house.answer("GET /api/security", { findings: [finding("high")], unseen: ["Walls."] });
    expect(await hearth("doctor", "--security")).toEqual({
      code: 1,
      out: "high   file.mode, /home/keys: Others\\e[2J read it.\n       chmod go-rwx /home/keys\n       Or move it.\n",
      err: "Not checked: Walls.\n",
    });
    own.house.answer("GET /api/security", { findings: [finding("low")], unseen: [] });
    expect((await hearth("doctor", "--security", "--json")).code).toBe(0);
    own.house.answer("GET /api/security", { findings: [], unseen: [] });
    expect((await hearth("doctor", "--security")).out).toBe(
      "No findings: no checked setting is wider than necessary.\n",
    );
  });

  test("doctor exits with 1 when a check fails, and prints the fix", async () => {
    own.house.answer("GET /api/doctor", [{ name: "store", ok: true, detail: "writes" }]);
    expect(await hearth("doctor")).toEqual({ code: 0, out: "ok    store: writes\n", err: "" });
    own.house.answer("GET /api/doctor", [{ name: "cell qemu", ok: true, absent: true, detail: "not here" }]);
    expect(await hearth("doctor")).toEqual({ code: 0, out: "none  cell qemu: not here\n", err: "" });
    own.house.answer("GET /api/doctor", [{ name: "cell", ok: false, detail: "no \u001b[2J walls", fix: "Get bwrap." }]);
    expect(await hearth("doctor")).toEqual({
      code: 1,
      out: "FAIL  cell: no \\e[2J walls\n      Get bwrap.\n",
      err: "",
    });
  });

  test("colours are used only on terminals that support them", async () => {
    own.house.answer("GET /api/doctor", [{ name: "cell", ok: false, detail: "" }]);
    const env = { HEARTH_HOME: own.house.home };
    expect((await hearthAt({ stdoutIsTerminal: true, env }, "doctor")).out).toContain("\u001b[31mFAIL\u001b[39m");
    expect((await hearthAt({ stdoutIsTerminal: true, env: { ...env, NO_COLOR: "1" } }, "doctor")).out).not.toContain(
      "\u001b",
    );
    expect((await hearthAt({ stdoutIsTerminal: true, env: { ...env, NO_COLOR: "" } }, "doctor")).out).toContain(
      "\u001b",
    );
    expect((await hearth("doctor")).out).not.toContain("\u001b");
  });

  test("an owner's token that the house refuses exits with 4", async () => {
    own.house.refuse("GET /api/status", {
      code: "auth.invalid",
      message: "Unknown key.",
      hint: "Make another.",
    });
    expect(await hearth("status")).toEqual({
      code: 4,
      out: "",
      err: "hearth: Unknown key.\n  Make another.\n",
    });
  });
});
