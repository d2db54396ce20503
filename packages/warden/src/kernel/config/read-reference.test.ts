import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { parseReference } from "./reference.ts";
import { type ReferenceSources, readReference } from "./read-reference.ts";

const sources: ReferenceSources = {
  environment: (name) => ({ KEY: " from the environment\n", EMPTY: " " })[name],
  readFile: async (path) => (path === "keys/one" ? "from a file\n" : undefined),
  secret: async (name) => (name === "ONE" ? "from the vault\n" : undefined),
};
const read = async (text: string, from = sources) => {
  const reference = parseReference(text);
  if (reference.kind === "refused") throw new Error(reference.why);
  return readReference(reference, from);
};

test("each kind of reference resolves to its text, trimmed", async () => {
  expect(await read("env:KEY")).toMatchObject({ reference: "env:KEY", text: "from the environment" });
  expect(await read("file:keys/one")).toMatchObject({ reference: "file:keys/one", text: "from a file" });
  expect(await read("secret:ONE")).toMatchObject({ reference: "secret:ONE", text: "from the vault" });
});

test("a missing value is explained, with what to do", async () => {
  for (const [text, problem, remedy] of [
    ["env:EMPTY", "is not set", "Set EMPTY in the environment"],
    ["file:gone", "is missing, empty or not readable", "into the file gone"],
    ["secret:TWO", "is not a secret of the first house", "hearth secret set TWO"],
  ] as const) {
    const found = await read(text);
    expect(found).toMatchObject({ reference: text, problem, remedy: expect.stringContaining(remedy) });
    expect(found).not.toHaveProperty("text");
  }
  const { secret: _, ...without } = sources;
  expect(await read("secret:ONE", without)).not.toHaveProperty("text");
});

test("a locked vault is reported as the reason; an unexpected error is rethrown", async () => {
  const locked = new HearthError("secret.locked", "The vault is locked: the passphrase is wrong.", {
    hint: "Start it again.",
  });
  expect(await read("secret:ONE", { ...sources, secret: () => Promise.reject(locked) })).toEqual({
    reference: "secret:ONE",
    problem: "cannot be read: The vault is locked: the passphrase is wrong.",
    remedy: "Start it again.",
  });
  const bug = new TypeError("a bug");
  const thrown: unknown = await read("secret:ONE", { ...sources, secret: () => Promise.reject(bug) }).catch(
    (error: unknown) => error,
  );
  expect(thrown).toBe(bug);
});

test.each(["secret:", "secret:no name", "secret:../x", `secret:${"x".repeat(65)}`])(
  "%p is not a valid secret reference",
  (text) => {
    expect(parseReference(text)).toMatchObject({ kind: "refused", why: 'must name a secret after "secret:"' });
  },
);
