/** The requests and the output of the commands that change the targets of backups. */
import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

const place = (target: string) => ({
  ...{ target, to: `sftp://${target}/srv`, everyMs: 1, keep: 7 },
  ...{ isEncrypted: false, isRunning: false, isLate: false },
});
const PATH = "/api/backups/targets/nas";
const KEYS = "AKID4711\nSECRET4711\n";
/** A terminal with this text at stdin, from a pipe unless typed. */
const withInput = (text: string, stdinIsTerminal = false) => ({
  stdinIsTerminal,
  readInput: () => Promise.resolve(text),
});
const changes = (): readonly string[] => own.house.requests.filter((request) => !request.startsWith("GET"));

describe("backup add", () => {
  test("adds a target with its address, its interval and its number of backups", async () => {
    own.house.answer("GET /api/backups", [place("other")]);
    own.house.answer(`PUT ${PATH}`, [place("other"), place("nas")]);
    const words = ["backup", "add", "nas", "sftp://house@nas/srv", "--every", "12h", "--keep", "14"];
    expect(await hearth(...words)).toEqual({
      code: 0,
      out: "Added the target nas. The first backup begins within a minute.\n",
      err: "",
    });
    expect(changes()).toEqual([`PUT ${PATH} {"to":"sftp://house@nas/srv","every":"12h","keep":14}`]);
    expect(await json(...words)).toEqual(place("nas"));
  });

  test("refuses the name of a target that exists", async () => {
    own.house.answer("GET /api/backups", [place("nas")]);
    expect(await hearth("backup", "add", "nas", "file:///b")).toEqual({
      code: 2,
      out: "",
      err: "hearth: There already is a target nas.\n  Change it: hearth backup edit nas, or remove it first: hearth backup remove nas\n",
    });
    expect(changes()).toEqual([]);
  });
});

describe("backup edit", () => {
  test("sends only what changes", async () => {
    own.house.answer(`PUT ${PATH}`, [place("other"), place("nas")]);
    expect(await hearth("backup", "edit", "nas", "--every", "1d")).toEqual({
      code: 0,
      out: "Changed the target nas.\n",
      err: "",
    });
    expect(await json("backup", "edit", "nas", "--keep", "1")).toEqual(place("nas"));
    expect(changes()).toEqual([`PUT ${PATH} {"every":"1d"}`, `PUT ${PATH} {"keep":1}`]);
    expect(await hearth("backup", "edit", "nas")).toMatchObject({
      code: 2,
      err: "hearth: Nothing to change.\n  Give --every, --keep or --keys-stdin.\n",
    });
    expect(changes()).toHaveLength(2);
  });

  test.each([
    ["\n", false],
    ["\r\n", false],
    ["\n", true],
  ])("reads both keys from stdin, with the line end %j, at a terminal: %p", async (end, typed) => {
    own.house.answer(`PUT ${PATH}`, [place("nas")]);
    const input = withInput(KEYS.replaceAll("\n", end), typed);
    const { code, out, err } = await hearthAt(input, "backup", "edit", "nas", "--keys-stdin");
    expect([code, out]).toEqual([0, "Changed the target nas.\n"]);
    expect(err).toBe(typed ? "Type the access key ID, Enter, the secret access key, Enter and Ctrl-D.\n" : "");
    expect(changes()).toEqual([`PUT ${PATH} {"accessKeyId":"AKID4711","secretAccessKey":"SECRET4711"}`]);
  });

  test.each(["", "AKID4711\n", `${KEYS}more\n`, "AKID4711\nSECRET 4711\n"])(
    "refuses %j at stdin, and prints no part of it",
    async (input) => {
      const { code, out, err } = await hearthAt(withInput(input), "backup", "edit", "nas", "--keys-stdin");
      expect([code, out, changes()]).toEqual([2, "", []]);
      expect(err).not.toContain("4711");
    },
  );
});

test("backup test prints how the test went, and exits with 1 if it failed", async () => {
  own.house.answer(`POST ${PATH}/test`, { ok: true, detail: "12 ms" });
  expect(await hearth("backup", "test", "nas")).toEqual({ code: 0, out: "works: 12 ms\n", err: "" });
  const failed = { ok: false, detail: "No key." };
  own.house.answer(`POST ${PATH}/test`, failed);
  expect(await hearth("backup", "test", "nas")).toEqual({ code: 1, out: "failed: No key.\n", err: "" });
  expect(await json("backup", "test", "nas")).toEqual(failed);
});

test("backup remove removes a target", async () => {
  own.house.answer(`DELETE ${PATH}`, {});
  expect(await hearth("backup", "remove", "nas")).toEqual({
    code: 0,
    out: "Removed the target nas. The backups there stay.\n",
    err: "",
  });
  expect(await json("backup", "remove", "nas")).toEqual({ removed: "nas" });
  expect(changes()).toEqual([`DELETE ${PATH}`, `DELETE ${PATH}`]);
});
