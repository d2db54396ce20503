/**
 * Tests which places egress reaches and which it never reaches, with published tables of misleading
 * addresses and hosts.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { EgressGrant, HostPattern, isHearthError } from "@hearth/protocol";
import { AGENT, createTestEgress, TURN } from "../../fixtures/egress.ts";
import { formatAddress, isPublicAddress, parseAddress } from "../../policy/network/address.ts";
import { bareHost, matchesHost, normalizeHost } from "../../policy/network/host.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../../tests/fixtures/${name}`, import.meta.url), "utf8"));
/** PayloadsAllTheThings, "Server Side Request Forgery" (MIT), with ranges and cases of our own. */
const ssrf: {
  readonly items: readonly { readonly url: string; readonly whatwg_host: string }[];
  readonly redirect_chains: readonly (readonly string[])[];
  readonly dns: readonly { readonly q: string; readonly answers: readonly (readonly string[])[] }[];
} = read("ssrf.json");
const hosts: {
  readonly accept: readonly string[];
  readonly refuse: readonly string[];
  readonly policy_must_reject: readonly string[];
} = read("egress-host.json");

const caller = { agent: AGENT, activation: TURN, signal: new AbortController().signal };
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (isHearthError(error) ? error.code : error),
  );
const ALLOWED: readonly EgressGrant[] = [{ host: "allowed.com" }];

describe("an address outside the public network", () => {
  test("D5: is refused in a tool's request, in any spelling, and nothing is dialled", async () => {
    for (const { url } of ssrf.items) {
      const { egress, network } = createTestEgress({ grants: ALLOWED });
      const isAllowed = url === "http://allowed.com.";
      expect([url, await codeOf(egress.fetch({ url }, caller))]).toEqual([url, isAllowed ? "done" : "egress.refused"]);
      expect(network.dialRequests.map(({ address }) => address)).toEqual(isAllowed ? ["93.184.216.34"] : []);
    }
  });

  test("is refused in a cell's request", async () => {
    for (const { url } of ssrf.items.filter(
      ({ url: text }) => !text.includes("\0") && text !== "http://allowed.com.",
    )) {
      const { open, network } = createTestEgress({ grants: ALLOWED });
      const cell = open();
      const { host } = /^[a-z]+:[/\\]+(?<host>[^/]*)/.exec(url)?.groups ?? { host: url };
      const answer = await cell.ask(`GET ${toBytes(url)} HTTP/1.1\r\nHost: ${toBytes(host ?? "")}\r\n\r\n`);
      expect([url, [400, 403].includes(answer?.status ?? 0)]).toEqual([url, true]);
      expect(network.dialRequests).toEqual([]);
    }
  });

  test("is refused even with a grant for that exact host", async () => {
    for (const { url, whatwg_host: host } of ssrf.items) {
      if (!/^https?:/.test(url) || host.includes("allowed") || host === "example.com" || host === "INVALID") continue;
      const granted = normalizeHost(host) ?? host;
      const { egress, network } = createTestEgress({
        grants: [{ host: granted }],
        names: { [granted]: [["127.0.0.1"]] },
      });
      const code = await codeOf(egress.fetch({ url: `http://${host}/` }, caller));
      expect([url, code]).toEqual([url, "egress.refused"]);
      expect(network.dialRequests).toEqual([]);
    }
  });

  test("is refused as a redirect: each step is checked like the first", async () => {
    for (const chain of ssrf.redirect_chains) {
      const steps = chain.map((step) => step.split(" ")[0] ?? "");
      const { egress, network, upstream, lines } = createTestEgress({
        grants: [{ host: "allowed.com" }, { host: "other.example" }],
        answer: ({ head }) => {
          const next = steps[steps.findIndex((step) => new URL(step).pathname === head.split(" ")[1]) + 1];
          return next === undefined
            ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            : `HTTP/1.1 302 Found\r\nLocation: ${next}\r\nContent-Length: 0\r\n\r\n`;
        },
      });
      const headers = [
        ["Authorization", "Bearer canary"],
        ["Cookie", "canary=1"],
        ["Accept", "a/b"],
      ] as const;
      const code = await codeOf(egress.fetch({ url: steps[0] ?? "", headers }, caller));
      const isLast = steps.at(-1)?.includes("other.example") === true;
      expect([chain, code]).toEqual([chain, isLast ? "done" : "egress.refused"]);
      expect(network.dialRequests.every(({ address }) => address === "93.184.216.34")).toBe(true);
      if (!isLast) continue;
      expect(upstream.requests.map(({ head }) => head.includes("canary"))).toEqual([true, false]);
      expect(upstream.requests.map(({ head }) => head.includes("Accept: a/b"))).toEqual([true, true]);
      expect((await lines()).map(({ host }) => host)).toEqual(["allowed.com", "other.example"]);
    }
  });

  test("D5: is detected among several addresses of a name, and a changing name is resolved once", async () => {
    for (const { q, answers } of ssrf.dns) {
      const { egress, network, resolver } = createTestEgress({ grants: [{ host: q }], names: { [q]: answers } });
      const code = await codeOf(egress.fetch({ url: `http://${q}/` }, caller));
      expect([q, code]).toEqual([q, q === "rebind.test" ? "done" : "egress.refused"]);
      expect(resolver.requestedNames).toEqual([q]);
      expect(network.dialRequests.map(({ address }) => address)).toEqual(q === "rebind.test" ? ["93.184.216.34"] : []);
      // The next connection resolves and checks it again.
      expect(await codeOf(egress.fetch({ url: `http://${q}/` }, caller))).toBe("egress.refused");
    }
  });

  test("is not searched among too many addresses, and a name without addresses is not dialled", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `93.184.216.${index}`);
    const names = { "many.test": [many], "none.test": [[]] };
    const { egress, network } = createTestEgress({ grants: [{ host: "many.test" }, { host: "none.test" }], names });
    for (const name of Object.keys(names))
      expect(await codeOf(egress.fetch({ url: `http://${name}/` }, caller))).toBe("egress.failed");
    expect(network.dialRequests).toEqual([]);
  });

  test("is allowed for the loopback only, when the config allows that", async () => {
    const grants = ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254"].map((host) => ({ host }));
    const { egress, network } = createTestEgress({ grants, allowsLoopback: true });
    expect(await codeOf(egress.fetch({ url: "http://127.0.0.1/" }, caller))).toBe("done");
    expect(await codeOf(egress.fetch({ url: "http://[::1]/" }, caller))).toBe("done");
    expect(await codeOf(egress.fetch({ url: "http://10.0.0.1/" }, caller))).toBe("egress.refused");
    expect(await codeOf(egress.fetch({ url: "http://169.254.169.254/" }, caller))).toBe("egress.refused");
    expect(network.dialRequests.map(({ address }) => address)).toEqual(["127.0.0.1", "::1"]);
  });
});

describe("a host", () => {
  const grants: readonly EgressGrant[] = [{ host: "allowed.com" }, { host: "*.wild.com" }];

  for (const how of ["CONNECT", "GET"] as const) {
    const ask = async (host: string) => {
      const { open, network } = createTestEgress({ grants });
      const cell = open();
      const target = how === "CONNECT" ? `${host}:443` : `http://${host}/`;
      const answer = await cell.ask(`${how} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      if (how === "GET" || answer?.status !== 200) return { status: answer?.status, network };
      // A CONNECT itself leads only to the house: the requests inside count.
      const name = bareHost(normalizeHost(host) ?? "");
      await cell.send(`\x16${name}\nGET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return { status: (await cell.answer())?.status, network };
    };

    test(`that is granted is matched in any spelling, by ${how}`, async () => {
      for (const host of hosts.accept) {
        const { status, network } = await ask(host);
        expect([host, status, network.dialRequests.length]).toEqual([host, 200, 1]);
        expect(network.dialRequests[0]?.tlsHost).toBe(how === "CONNECT" ? normalizeHost(host) : undefined);
      }
    });

    test(`that only resembles a granted one is refused, by ${how}`, async () => {
      for (const host of hosts.refuse) {
        const { status, network } = await ask(host);
        expect([host, status === 400 || status === 403]).toEqual([host, true]);
        expect(network.dialRequests).toEqual([]);
      }
    });
  }

  test("is not a valid pattern when it is too broad or not a host", () => {
    for (const pattern of [
      ...hosts.policy_must_reject,
      "*",
      "*.com.",
      "a.*.com",
      "ALLOWED.com",
      "allowed.com.",
      "localhost",
      "a\0b.com",
    ])
      expect([pattern, HostPattern.safeParse(pattern).success]).toEqual([pattern, false]);
    for (const pattern of ["allowed.com", "*.wild.com", "93.184.216.34", "[2606:2800::1]", "xn--bcher-kva.example"])
      expect([pattern, HostPattern.safeParse(pattern).success]).toEqual([pattern, true]);
    expect(EgressGrant.safeParse({ host: "a.com", path: "v1" }).success).toBe(false);
  });

  test("has at most the length that DNS allows", () => {
    const label = "a".repeat(63);
    expect(normalizeHost([label, label, label, "a".repeat(61)].join("."))).toBeDefined();
    expect(normalizeHost([label, label, label, "a".repeat(62)].join("."))).toBeUndefined();
  });

  test("matches a wildcard with any number of labels, and never with the bare name", () => {
    expect(
      ["a.wild.com", "a.b.wild.com", "wild.com", "evilwild.com", ".wild.com"].map((host) =>
        matchesHost("*.wild.com", host),
      ),
    ).toEqual([true, true, false, false, false]);
    expect(matchesHost("[2606:2800:0::1]", "[2606:2800::1]")).toBe(true);
  });
});

describe("an IP address", () => {
  test("is classified correctly at both ends of every range", () => {
    const inner = [
      ...[
        "0.0.0.0",
        "0.255.255.255",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.255.255.255",
        "168.63.129.16",
      ],
      ...[
        "169.254.0.0",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.255",
        "192.0.2.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.88.99.1",
      ],
      ...[
        "192.168.255.255",
        "192.175.48.1",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.9",
        "203.0.113.9",
        "224.0.0.0",
        "255.255.255.255",
      ],
      ...[
        "::",
        "::1",
        "::7f00:1",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
      ],
      ...[
        "fec0::1",
        "ff02::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:1ff:ffff::1",
        "2001:db8::1",
        "2002:808:808::1",
      ],
      ...["2620:4f:8000::1", "3ffe::1", "3fff:fff::1", "2a00:1450::5efe:a00:1", "2a00:1450::200:5efe:a00:1", "4000::1"],
    ];
    const outer = [
      ...[
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.17",
      ],
      ...[
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
      ],
      ...["223.255.255.255", "2000::1", "2001:200::1", "2606:2800:220:1::1", "2620:4f:8001::1", "3fff:1000::1"],
    ];
    expect(inner.filter(isPublicAddress)).toEqual([]);
    expect(outer.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  test("has one form, and ambiguous spellings are rejected", () => {
    for (const text of [
      "1.2.3",
      "01.2.3.4",
      "1.2.3.256",
      "1.2.3.4.",
      "0x1.2.3.4",
      " 1.2.3.4",
      ":::",
      "1::2::3",
      "::12345",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7::8",
      "::1%lo",
      "::1.2.3",
      "1.2.3.4::",
      "",
    ])
      expect([text, parseAddress(text)]).toEqual([text, undefined]);
    for (const [text, form] of [
      ["2606:2800:0:0:0::1", "2606:2800::1"],
      ["::", "::"],
      ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
      ["::FFFF:1.2.3.4", "::ffff:102:304"],
      ["0:0:0:0:0:0:0:1", "::1"],
      ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
    ] as const)
      expect([text, formatAddress(parseAddress(text) ?? new Uint8Array())]).toEqual([text, form]);
  });
});

/** As a program would put it on the wire. */
function toBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
