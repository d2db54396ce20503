import { describe, expect, test } from "bun:test";
import { type Fetch, HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createProviderFetch, MAX_ANSWER_SIZE, PROVIDER_TIMEOUT_MS } from "./provider-fetch.ts";

const GET = { method: "GET", headers: {} };
const PUBLIC = "93.184.216.34";

const setUp = (
  provider: { issuer?: string; hosts?: readonly string[]; privateNetwork?: boolean } = {},
  addresses: readonly string[] | "unknown" = [PUBLIC],
  answer: Fetch = async () => Response.json({}),
) => {
  const asked: string[] = [];
  const { hash } = createBunWorld();
  const world = createFakeWorld({
    hash,
    fetch: (input, init) => {
      asked.push(input instanceof Request ? input.url : new URL(input).href);
      return answer(input, init);
    },
  });
  const resolver = {
    async resolve(name: string) {
      if (addresses === "unknown") throw new HearthError("egress.failed", `The host ${name} was not found.`);
      return addresses;
    },
  };
  const request = createProviderFetch({
    clock: world.clock,
    fetch: world.fetch,
    resolver,
    provider: { issuer: "https://id.example", hosts: [], privateNetwork: false, ...provider },
  });
  return { world, asked, request };
};

const refusal = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("the request was not refused");
};

describe("A51: a request of a login", () => {
  test("goes to the issuer and to listed hosts only, without a redirect", async () => {
    const { request, asked } = setUp({ hosts: ["keys.example:8443"] });
    expect((await request("https://id.example/a", GET)).status).toBe(200);
    expect((await request("https://keys.example:8443/b", GET)).status).toBe(200);
    for (const url of [
      "https://evil.example/",
      "https://id.example:444/",
      "https://keys.example/",
      "https://id.example.evil/",
    ])
      expect(await refusal(request(url, GET))).toContain("which is not allowed");
    expect(asked).toEqual(["https://id.example/a", "https://keys.example:8443/b"]);
  });

  test("uses http on this machine only", async () => {
    const { request } = setUp({ hosts: ["127.0.0.1:8080", "keys.example"] }, []);
    expect((await request("http://127.0.0.1:8080/", GET)).status).toBe(200);
    expect(await refusal(request("http://id.example/", GET))).toContain("which is not https");
  });

  test.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "192.168.1.7", "fd00::1", "::1"])(
    "does not reach %s by a name, also beside a public address",
    async (address) => {
      for (const addresses of [[address], [PUBLIC, address]]) {
        const { request, asked } = setUp({}, addresses);
        expect(await refusal(request("https://id.example/", GET))).toBe(
          "id.example has an address outside the public network.",
        );
        expect(asked).toEqual([]);
      }
    },
  );

  test("reaches a private network if the config allows it, and its addresses only then", async () => {
    const { request } = setUp({ issuer: "https://10.0.0.1" }, []);
    expect(await refusal(request("https://10.0.0.1/", GET))).toContain("outside the public network");
    const allowed = setUp({ issuer: "https://10.0.0.1", privateNetwork: true }, []);
    expect((await allowed.request("https://10.0.0.1/", GET)).status).toBe(200);
  });

  test("is refused for an unknown name", async () => {
    const { request, asked } = setUp({}, "unknown");
    expect(await refusal(request("https://id.example/", GET))).toBe("id.example was not found.");
    expect(asked).toEqual([]);
  });

  test("follows no redirect, and reads a limited answer", async () => {
    const moved = setUp({}, [PUBLIC], async (_input, init) => {
      expect(init?.redirect).toBe("manual");
      return new Response(null, { status: 302, headers: { location: "https://id.example/b" } });
    });
    expect(await refusal(moved.request("https://id.example/", GET))).toContain("redirected");
    const long = setUp({}, [PUBLIC], async () => new Response("x".repeat(MAX_ANSWER_SIZE + 1)));
    expect(await refusal(long.request("https://id.example/", GET))).toContain("answered with more than");
  });

  test("ends after its time", async () => {
    const { world, request } = setUp(
      {},
      [PUBLIC],
      (_input, init) =>
        new Promise((_resolve, reject) => {
          const end = (): void => reject(new TypeError("aborted"));
          if (init?.signal?.aborted === true) end();
          else init?.signal?.addEventListener("abort", end);
        }),
    );
    const refused = refusal(request("https://id.example/", GET));
    await world.advance(PROVIDER_TIMEOUT_MS);
    expect(await refused).toBe("id.example did not answer in 10 s.");
  });
});
