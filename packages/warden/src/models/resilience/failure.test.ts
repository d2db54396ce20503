/** How failures of a wire are classified, explained and shortened. */
import { describe, expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { describeThrown, describeUnreachable, describeVendorError, type Peer } from "./failure.ts";

const peer: Peer = { host: "a.example:443", apiKey: "key-1234", now: () => 1_000_000 };
const report = (over: { status?: number; names?: readonly string[]; message?: string }, headers?: Headers) =>
  describeVendorError({ names: [], message: "", ...over }, headers, peer);

describe("a report of a vendor", () => {
  const cases = [
    // By name, whatever the status.
    { names: ["authentication_error"], code: "provider.auth" },
    { names: ["permission_error"], status: 400, code: "provider.auth" },
    { names: ["INVALID_API_KEY"], status: 500, code: "provider.auth" },
    { names: ["overloaded_error"], status: 400, code: "provider.overloaded" },
    { names: ["unavailable"], code: "provider.overloaded" },
    { names: ["model_unavailable_error"], status: 400, code: "provider.refused" },
    { names: ["rate_limit_error"], status: 400, code: "provider.rate-limited" },
    { names: ["content_filter"], status: 500, code: "provider.refused" },
    { names: ["timeout_error"], status: 400, code: "provider.timeout" },
    { names: ["invalid_request_error"], code: "provider.refused" },
    { names: ["invalid_request_error"], status: 500, code: "provider.refused" },
    { names: ["api_error"], code: "provider.failed" },
    // A missing credit is not a limit of the rate, unless the key was refused.
    { names: ["insufficient_quota"], status: 429, code: "provider.refused" },
    { names: ["insufficient_quota"], status: 401, code: "provider.auth" },
    { message: "Your credit balance is too low.", status: 400, code: "provider.refused" },
    // Too many tokens per minute is a limit of the rate.
    { message: "This prompt is too long.", status: 400, code: "provider.context-overflow" },
    { message: "This prompt is too long.", status: 429, code: "provider.rate-limited" },
    { message: "This prompt is too long.", names: ["rate_limit_error"], code: "provider.rate-limited" },
    { names: ["context_length_exceeded"], status: 400, code: "provider.context-overflow" },
    { message: `${"x".repeat(2_000)} prompt is too long`, status: 400, code: "provider.refused" },
    // By status.
    { status: 200, code: "provider.malformed" },
    { status: 399, code: "provider.malformed" },
    { status: 400, code: "provider.refused" },
    { status: 401, code: "provider.auth" },
    { status: 403, code: "provider.auth" },
    { status: 404, code: "provider.refused" },
    { status: 408, code: "provider.timeout" },
    { status: 413, code: "provider.context-overflow" },
    { status: 429, code: "provider.rate-limited" },
    { status: 499, code: "provider.refused" },
    { status: 500, code: "provider.failed" },
    { status: 503, code: "provider.overloaded" },
    { status: 529, code: "provider.overloaded" },
    { code: "provider.failed" },
  ] as const;
  test.each(cases)("with status $status, names $names and message $message is $code", ({ code, ...over }) => {
    expect<string>(report(over).error.code).toBe(code);
  });

  test("names the host, the status and the vendor's message", () => {
    expect(report({ status: 503 }).error.message).toBe("a.example:443 is overloaded (503).");
    expect(report({ message: " Too busy. \n" }).error.message).toBe("a.example:443 failed: Too busy.");
    expect(report({ message: "x".repeat(400) }).error.message).toEndWith(`: ${"x".repeat(400)}`);
    expect(report({ message: "x".repeat(401) }).error.message).toEndWith(`: ${"x".repeat(400)}…`);
  });

  test("contains neither the key nor what vendors print of it", () => {
    const message = "The key key-1234, sk-a***yz or a**b, or Bearer abc.def";
    expect(report({ message }).error.message).toEndWith("The key [key], [key] or a**b, or Bearer [key]");
    const bare = (apiKey: string | undefined) =>
      describeVendorError({ names: [], message: "key-1234" }, undefined, { ...peer, apiKey }).error.message;
    expect([bare(undefined), bare("")]).toEqual(Array(2).fill("a.example:443 failed: key-1234"));
  });

  test("says what to do about a missing key and an unknown address", () => {
    const hint = (status: number, apiKey?: string) =>
      describeVendorError({ status, names: [], message: "" }, undefined, { ...peer, apiKey }).error.hint;
    expect(hint(401)).toStartWith("No key was sent.");
    expect(hint(401, "k")).toStartWith("Check that the key is complete");
    expect(hint(404)).toContain("it ends in /v1");
    expect(hint(400)).not.toBe(hint(404));
  });

  const date = (seconds: number): string => new Date(1_000_000 + seconds * 1_000).toUTCString();
  test.each([
    [{ "retry-after-ms": "1500.2" }, 1_501],
    [{ "retry-after-ms": " 20 ", "retry-after": "9" }, 20],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": date(60) }, 60_000],
    [{ "retry-after": date(-60) }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("with headers %p has to be retried after %p ms", (headers, retryAfterMs) => {
    expect(report({}, new Headers(headers as Record<string, string>)).retryAfterMs).toBe(retryAfterMs as never);
    expect("retryAfterMs" in report({})).toBe(false);
  });
});

describe("an unreachable server", () => {
  const failed = (code: string, message = "", cause?: unknown): Error =>
    Object.assign(new Error(message, { cause }), code === "" ? {} : { code });
  test.each([
    { cause: failed("ConnectionRefused"), why: "no server listens there" },
    { cause: failed("ENOTFOUND"), why: "its host name is unknown" },
    { cause: failed("FailedToOpenSocket"), why: "its host name is unknown" },
    { cause: failed("DEPTH_ZERO_SELF_SIGNED_CERT"), why: "its TLS certificate is not trusted" },
    { cause: failed("", "bad TLS record"), why: "its TLS certificate is not trusted" },
    { cause: failed("ECONNRESET"), why: "it closed the connection" },
    { cause: failed("ETIMEDOUT"), why: "it does not answer" },
    { cause: failed("", "The operation timeout passed."), why: "it does not answer" },
    { cause: failed("", "Odd."), why: "Odd" },
    { cause: failed("", "fetch failed", failed("ECONNREFUSED")), why: "no server listens there" },
    { cause: failed("", "outer", failed("", "inner")), why: "inner" },
    { cause: failed("", "outer", failed("")), why: "outer" },
    { cause: failed(""), why: "no reason given" },
    { cause: "text", why: "no reason given" },
  ])("is explained: $why", ({ cause, why }) => {
    const { error } = describeUnreachable(cause, peer);
    expect(error).toMatchObject({
      code: "provider.unreachable",
      message: `a.example:443 cannot be reached: ${why}.`,
    });
  });

  test("is explained by at most five causes", () => {
    let cause = failed("", "sixth");
    for (const message of ["fifth", "fourth", "third", "second", "first"]) cause = failed("", message, cause);
    expect(describeUnreachable(cause, peer).error.message).toEndWith(": fifth.");
  });
});

test("a thrown error keeps a provider's code, and any other code becomes `provider.failed`", () => {
  const thrown = (error: unknown) => describeThrown(error, peer).error;
  const late = thrown(new HearthError("provider.timeout", "Slow key-1234."));
  expect(late).toMatchObject({ code: "provider.timeout", message: "a.example:443: Slow [key]." });
  expect(late.hint).toStartWith("Try again. A local model");
  expect(thrown(new HearthError("store.damaged", "No.")).code).toBe("provider.failed");
  expect(thrown(new Error("Odd."))).toMatchObject({ code: "provider.failed", message: "a.example:443: Odd." });
  expect(thrown("text").message).toBe("a.example:443: text");
});
