import { describe, expect, test } from "bun:test";
import { type HearthError, isHearthError } from "@hearth/protocol";
import { parseConfig } from "../read.ts";

const inFile = (...lines: readonly string[]): string => ["version = 1", "[server]", ...lines].join("\n");
const parse = (...lines: readonly string[]) => parseConfig(inFile(...lines), "hearth.toml").config.server;
const refusal = (...lines: readonly string[]): HearthError => {
  try {
    parse(...lines);
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return error;
    throw error;
  }
  throw new Error("the config was accepted");
};

const TLS = ['tls_cert = "/etc/tls/chain.pem"', 'tls_key = "/etc/tls/key.pem"'];
const PROXY = 'trusted_proxies = ["127.0.0.1"]';
const PUBLIC = 'public_url = "https://house.example"';

describe("a host beyond loopback", () => {
  test.each(["0.0.0.0", "::", "192.168.1.5", "fd00::5"])("%p needs TLS or a proxy, and the error has both", (host) => {
    const error = refusal(`host = "${host}"`);
    expect(error.message).toBe(
      `server.host cannot be ${host} without TLS, because anyone on the network could read your keys; hearth.toml line 3`,
    );
    for (const key of ["tls_cert = ", "tls_key = ", "trusted_proxies = ", 'host = "127.0.0.1"'])
      expect(error.hint).toContain(key);
  });

  test("is accepted with TLS, and with a proxy", () => {
    expect(parse('host = "192.168.1.5"', ...TLS)).toMatchObject({
      host: "192.168.1.5",
      tls: { certificate: "/etc/tls/chain.pem", key: "/etc/tls/key.pem" },
    });
    expect(parse('host = "0.0.0.0"', PUBLIC, ...TLS).publicUrl).toBe("https://house.example");
    expect(parse('host = "0.0.0.0"', PUBLIC, 'trusted_proxies = ["10.0.0.2"]').trustedProxies).toEqual(["10.0.0.2"]);
  });

  test("needs the public address where the port has no single address, or no TLS", () => {
    for (const lines of [
      ['host = "0.0.0.0"', ...TLS],
      ['host = "192.168.1.5"', PROXY],
    ]) {
      const error = refusal(...lines);
      expect(error.message).toContain("public_url is missing");
      expect(error.message).toEndWith("hearth.toml line 3");
      expect(error.hint).toContain('Write public_url = "https://NAME"');
    }
  });
});

describe("a public address", () => {
  test("is an origin: a final slash and the default port are removed", () => {
    for (const url of ["https://House.example/", "https://house.example:443", "https://house.example"])
      expect(parse(`public_url = "${url}"`, PROXY).publicUrl).toBe("https://house.example");
    expect(parse('public_url = "https://house.example:8443"', PROXY).publicUrl).toBe("https://house.example:8443");
    expect(parse('public_url = "http://localhost:9000"').publicUrl).toBe("http://localhost:9000");
  });

  test.each([
    "house.example",
    "ftp://house.example",
    "https://house.example/hearth",
    "https://me:x@house.example",
    "https://house.example/?a",
  ])("%p is refused with its line", (url) => {
    expect(refusal(`public_url = "${url}"`, PROXY).message).toMatch(
      /^server\.public_url must be .*; hearth\.toml line 3$/,
    );
  });

  test("with https needs something that terminates TLS", () => {
    const error = refusal(PUBLIC);
    expect(error.message).toBe(
      "server.public_url begins with https://, but nothing terminates TLS; hearth.toml line 3",
    );
    expect(error.hint).toContain('trusted_proxies = ["127.0.0.1"]');
    expect(parse(PUBLIC, PROXY).publicUrl).toBe("https://house.example");
    expect(parse(PUBLIC, ...TLS).publicUrl).toBe("https://house.example");
  });

  test("with http does not fit a certificate", () => {
    expect(refusal('public_url = "http://house.example"', ...TLS).hint).toBe(
      'Write public_url = "https://house.example".',
    );
  });
});

describe("a trusted proxy", () => {
  test("is an address or a network", () => {
    const list = ["127.0.0.1", "::1", "10.0.0.0/24", "fd00::/64"];
    expect(parse(`trusted_proxies = ${JSON.stringify(list)}`).trustedProxies).toEqual(list);
  });

  test.each(["proxy.example", "10.0.0.0/33", "10.0.0", "", "unix:/run/x", "0.0.0.0/0", "::/0"])(
    "is not %p",
    (proxy) => {
      const error = refusal(`trusted_proxies = [ "127.0.0.1", "${proxy}"]`);
      expect(error.message).toStartWith("server.trusted_proxies.1 ");
      expect(error.message).toEndWith("hearth.toml line 3");
      expect(error.hint).toContain("Write the address of the proxy");
    },
  );
});

test("a certificate and its key are set together", () => {
  for (const [line = "", missing] of [
    [TLS[0], "tls_key"],
    [TLS[1], "tls_cert"],
  ]) {
    const error = refusal("port = 1", line);
    expect(error.message).toEndWith(`needs ${missing}; hearth.toml line 4`);
    expect(error.hint).toBe(`Write ${missing} = "PATH" below [server].`);
  }
});

test("a mistyped key below [server] is refused", () => {
  expect(refusal('trusted_proxys = ["127.0.0.1"]').hint).toBe('Did you mean "trusted_proxies"?');
});
