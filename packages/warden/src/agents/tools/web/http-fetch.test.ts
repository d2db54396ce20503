import { describe, expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import type { EgressAnswer, EgressRequest } from "../../../cells/egress/fetch.ts";
import type { EgressCaller } from "../../../cells/egress/tokens.ts";
import type { HostCall } from "../call.ts";
import { httpFetch } from "./http-fetch.ts";
import type { WebParts } from "../parts.ts";

import { createRedaction } from "../../../policy/secrets/redaction.ts";
import { createLeakScan } from "../../../policy/text/leak-scan.ts";
import { noLeakScan } from "../../../policy/fixtures/no-leak-scan.ts";

const call = {
  activation: { id: "act_1" },
  agent: { id: "agent_1" },
  signal: new AbortController().signal,
} as unknown as HostCall;

const partsOf = (egress: WebParts["egress"], leakScan: WebParts["leakScan"] = noLeakScan) => ({ egress, leakScan });

/** Returns the tool's outcome for this answer, and its request. */
const read = async (
  answer: Partial<Omit<EgressAnswer, "body">> & { readonly text?: string; readonly body?: Uint8Array },
) => {
  const asked: [EgressRequest, EgressCaller][] = [];
  const { text = "", body = new TextEncoder().encode(text), ...rest } = answer;
  const fetch: WebParts["egress"]["fetch"] = async (request, caller) => {
    asked.push([request, caller]);
    return { url: request.url, status: 200, headers: [], isCut: false, ...rest, body };
  };
  const outcome = await httpFetch({ url: "https://example.com/a" }, call, partsOf({ fetch }));
  return { asked, outcome };
};
const typed = (type: string) => [["Content-Type", type]] as const;

test("a page is requested for the agent's turn, read as text, and labelled as a stranger's", async () => {
  const page = '<title>T</title><p>hello <a href="b">there</a></p>';
  const { asked, outcome } = await read({ headers: typed("text/html; charset=utf-8"), text: page });
  expect(outcome).toEqual({
    text: "https://example.com/a answered 200\n\nT\n\nhello there <https://example.com/b>",
    failed: false,
    label: { integrity: "untrusted", readers: "anyone", sources: ["https://example.com/a"] },
  });
  expect(asked.map(([request, caller]) => [request.url, request.method, caller.agent, caller.activation])).toEqual([
    ["https://example.com/a", undefined, "agent_1", "act_1"],
  ] as never);
});

describe("the outcome", () => {
  test.each([
    ["application/json", '{"a":1}', '{"a":1}'],
    ["text/plain", "<b>not a page</b>", "<b>not a page</b>"],
    ["", "<!doctype html><p>page", "page"],
    ["", "plain", "plain"],
    ["image/png", "xxxx", "[4 bytes of image/png, which is not text]"],
    ["application/pdf", "%PDF", "[4 bytes of application/pdf, which is not text]"],
  ])("of %p", async (type, text, expected) => {
    const { outcome } = await read({ headers: type === "" ? [] : typed(type), text });
    expect(outcome.text).toBe(`https://example.com/a answered 200\n\n${expected}`);
  });

  test("of another charset, also of an unknown one", async () => {
    const body = Uint8Array.of(0xe4);
    expect((await read({ headers: typed('text/plain; charset="iso-8859-1"'), body })).outcome.text).toEndWith("ä");
    expect((await read({ headers: typed("text/plain; charset=none"), text: "ok" })).outcome.text).toEndWith("ok");
  });

  test("of an error, a redirect, and a page that is too long", async () => {
    const { outcome } = await read({ status: 404, url: "https://example.org/b", text: "none" });
    expect(outcome).toMatchObject({ text: "https://example.org/b answered 404\n\nnone", failed: true });
    expect((await read({ text: "x".repeat(40_000) })).outcome.text).toEndWith("x\n[cut: the page is longer]");
    expect((await read({ text: "short", isCut: true })).outcome.text).toEndWith("short\n[cut: the page is longer]");
  });

  test("of a refusal is its message, for the model", async () => {
    const refuse = { fetch: () => Promise.reject(new HearthError("egress.refused", "Not there.", { hint: "Ask." })) };
    expect(await httpFetch({ url: "https://x" }, call, partsOf(refuse))).toEqual({
      text: "Not there. Ask.",
      failed: true,
    });
    const broken = { fetch: () => Promise.reject(new Error("a bug")) };
    const thrown = httpFetch({ url: "https://x" }, call, partsOf(broken));
    expect(await thrown.catch((error: unknown) => String(error))).toBe("Error: a bug");
  });
});

test("A73: an address with a secret of the house is not requested", async () => {
  const redaction = createRedaction();
  redaction.learn("home", "TOKEN", "a-secret/of the house");
  const asked: string[] = [];
  const fetch: WebParts["egress"]["fetch"] = async ({ url }) => {
    asked.push(url);
    return { url, status: 200, headers: [], isCut: false, body: new Uint8Array() };
  };
  const parts = partsOf({ fetch }, createLeakScan(redaction));
  for (const part of ["a-secret/of the house", "a-secret%2Fof%20the%20house", btoa("a-secret/of the house")]) {
    const outcome = await httpFetch({ url: `https://stranger.example/?d=${part}` }, call, parts);
    expect([part, outcome.failed, outcome.text.includes("contains a secret")]).toEqual([part, true, true]);
  }
  expect(asked).toEqual([]);
  expect((await httpFetch({ url: "https://stranger.example/" }, call, parts)).failed).toBe(false);
});
