import { expect, test } from "bun:test";
import { fromLatin1, toLatin1 } from "./head.ts";
import { redactBody, redactHead, requireReadable } from "./redaction.ts";

const pieces = async function* (...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield fromLatin1(text);
};
/** Passes each piece on with the next one, in upper case. */
const createSlowRedactor = () => {
  let held = "";
  return {
    push(bytes: Uint8Array) {
      const out = held;
      held = toLatin1(bytes).toUpperCase();
      return fromLatin1(out);
    },
    end: () => fromLatin1(held),
  };
};

test("a redacted body has every piece that the redactor returns, and no empty one", async () => {
  const read = async (...texts: readonly string[]) =>
    (await Array.fromAsync(redactBody(createSlowRedactor(), pieces(...texts)))).map(toLatin1);
  expect(await read("a", "b", "c")).toEqual(["A", "B", "C"]);
  expect(await read("a", "")).toEqual(["A"]);
  expect(await read()).toEqual([]);
});

test("each text of a head gets a separate redactor, and is redacted up to its end", () => {
  const createQuoter = () => ({
    push: (bytes: Uint8Array) => fromLatin1(`<${toLatin1(bytes)}`),
    end: () => fromLatin1(">"),
  });
  const head = { status: 404, reason: "No", version: 1, headers: [["A", "b"]] } as const;
  const redacted = { ...head, reason: "<No>", headers: [["<A>", "<b>"]] };
  expect(redactHead(head, createQuoter) as unknown).toEqual(redacted);
});

test("a response is readable without a coding, or with `identity`", () => {
  const requireCoding = (...values: readonly string[]) =>
    requireReadable({
      ...{ status: 200, reason: "", version: 1 },
      headers: values.map((value) => ["Content-Encoding", value] as const),
    });
  for (const readable of [[], ["identity"], ["Identity", ""]]) expect(() => requireCoding(...readable)).not.toThrow();
  for (const packed of [["gzip"], ["identity, br"], ["identity", "zstd"]])
    expect(() => requireCoding(...packed)).toThrow("The response is compressed");
});
