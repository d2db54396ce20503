import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { createAuthority } from "./authority.ts";
import { instant, integer, oid } from "./der.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-authority-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const DAY_MS = 24 * 60 * 60_000;
const now = Date.now();
const open = (at = now) => createAuthority({ folder: join(folder, "egress"), now: () => at });
const keyPath = () => join(folder, "egress/authority.key");
const openssl = Bun.which("openssl");

describe("the house's authority", () => {
  test("is created once: another daemon with the same home has the same one", async () => {
    const first = await open().certificate();
    expect(await open().certificate()).toBe(first);
    const { subject, ca, validTo } = new X509Certificate(first);
    expect([subject, ca, Date.parse(validTo) > now + 3000 * DAY_MS]).toEqual(["CN=Hearth egress", true, true]);
  });

  test("has a key that only its owner can read; nothing else of it is secret", async () => {
    await open().certificate();
    expect(statSync(keyPath()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "egress")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(folder, "egress/authority.pem"), "utf8")).not.toContain("PRIVATE");
    expect((await open().leafFor("a.example")).certificate).not.toContain("PRIVATE");
  });

  test("keeps its key when its certificate is lost or about to expire, and never replaces an unreadable key", async () => {
    const first = await open().certificate();
    const key = readFileSync(keyPath(), "utf8");
    rmSync(join(folder, "egress/authority.pem"));
    const second = await open().certificate();
    expect([second === first, readFileSync(keyPath(), "utf8")]).toEqual([false, key]);
    expect(await open(now + 3649 * DAY_MS).certificate()).not.toBe(second);
    writeFileSync(keyPath(), "not a key");
    chmodSync(keyPath(), 0o600);
    const failure: unknown = await open()
      .certificate()
      .catch((error: unknown) => error);
    expect(isHearthError(failure, "store.damaged")).toBe(true);
    expect(readFileSync(keyPath(), "utf8")).toBe("not a key");
    expect(existsSync(`${keyPath()}.new`)).toBe(false);
  });

  test("issues certificates for hosts and addresses for some days, and reuses them meanwhile", async () => {
    let at = now;
    const authority = createAuthority({ folder: join(folder, "egress"), now: () => at });
    const root = new X509Certificate(await authority.certificate());
    for (const host of ["a.example", `${"long.".repeat(40)}example`, "93.184.216.34", "2606:2800::1"]) {
      const leaf = await authority.leafFor(host);
      const certificate = new X509Certificate(leaf.certificate);
      expect([host, certificate.checkIssued(root), certificate.verify(root.publicKey), certificate.ca]).toEqual([
        host,
        true,
        true,
        false,
      ]);
      const isIt = host.startsWith("9") || host.includes(":") ? certificate.checkIP(host) : certificate.checkHost(host);
      expect([host, isIt !== undefined]).toEqual([host, true]);
      expect(certificate.checkHost("other.example")).toBeUndefined();
      expect(await authority.leafFor(host)).toBe(leaf);
      // For server authentication only.
      expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    }
    const early = await authority.leafFor("a.example");
    at += 6.5 * DAY_MS;
    const late = await authority.leafFor("a.example");
    expect(late).not.toBe(early);
    expect(Date.parse(new X509Certificate(late.certificate).validTo)).toBeGreaterThan(at + 6 * DAY_MS);
    expect(new X509Certificate(late.certificate).serialNumber).not.toBe(
      new X509Certificate(early.certificate).serialNumber,
    );
  });

  test.skipIf(openssl === null)("is accepted by OpenSSL in strict mode, for that host only", async () => {
    const authority = open();
    await authority.certificate();
    const verify = async (certificate: string, ...flags: readonly string[]): Promise<string> => {
      const path = join(folder, "leaf.pem");
      writeFileSync(path, certificate);
      const child = Bun.spawn(
        [
          openssl ?? "",
          "verify",
          "-x509_strict",
          "-purpose",
          "sslserver",
          "-CAfile",
          join(folder, "egress/authority.pem"),
          ...flags,
          path,
        ],
        { stdout: "pipe", stderr: "pipe" },
      );
      return (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
    };
    const { certificate } = await authority.leafFor("a.example");
    expect(await verify(certificate, "-verify_hostname", "a.example")).toContain(": OK");
    expect(await verify(certificate, "-verify_hostname", "b.example")).toContain("hostname mismatch");
    const address = await authority.leafFor("2606:2800::1");
    expect(await verify(address.certificate, "-verify_ip", "2606:2800::1")).toContain(": OK");
    expect(await verify(address.certificate, "-verify_ip", "2606:2800::2")).toContain("IP address mismatch");
  });
});

describe("DER", () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

  test("writes integers in minimal length and never negative", () => {
    expect([[0], [0, 0, 1], [127], [128], [0, 255, 1]].map((bytes) => hex(integer(Uint8Array.from(bytes))))).toEqual([
      "020100",
      "020101",
      "02017f",
      "02020080",
      "020300ff01",
    ]);
  });

  test("writes object identifiers and times as other programs read them", () => {
    expect(hex(oid("1.2.840.113549.1.1.11"))).toBe("06092a864886f70d01010b");
    expect(Buffer.from(instant(Date.UTC(2049, 11, 31, 23, 59, 59))).toString("latin1")).toBe("\x17\r491231235959Z");
    expect(Buffer.from(instant(Date.UTC(2050, 0, 1))).toString("latin1")).toBe("\x18\x0f20500101000000Z");
  });
});
