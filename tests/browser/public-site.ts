/**
 * A site of the public web on this machine: a real server with a certificate. The daemon resolves
 * its name to a public address, and its connections to that address lead to the server.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestCertificates } from "@hearth/warden/certificates";

export const SITE = "news.example";

export interface PublicSite extends Disposable {
  /** The paths of all requests. */
  readonly requests: readonly string[];
  /** The environment with which a daemon reaches the site. */
  readonly env: Readonly<Record<string, string>>;
}

export const startPublicSite = async (page: string): Promise<PublicSite> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-site-"));
  const certificates = createTestCertificates(folder);
  await certificates.renew(SITE);
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, await certificates.authority());
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: readFileSync(certificates.certificate, "utf8"), key: readFileSync(certificates.key, "utf8") },
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
    },
  });
  return {
    requests,
    env: {
      NODE_EXTRA_CA_CERTS: authority,
      BUN_OPTIONS: `--preload=${fileURLToPath(new URL("./public-site-route.ts", import.meta.url))}`,
      PUBLIC_SITE_PORT: String(server.port),
    },
    [Symbol.dispose]() {
      void server.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
