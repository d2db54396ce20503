import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { networkConformance } from "../../../cells/egress/network/network.conformance.ts";
import type { Connection } from "../../../cells/egress/network/network.ts";
import { resolverConformance } from "../../../cells/egress/network/resolver.conformance.ts";
import { createAuthority } from "./authority.ts";
import { createBunNetwork } from "./network.ts";
import { createBunResolver } from "./resolver.ts";

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(portOf(server))));

/** The peer uses the platform's sockets, not our code. */
const toFar = (socket: Socket): Connection => {
  socket.on("error", () => {});
  return {
    bytes: (async function* () {
      for await (const bytes of socket.iterator({ destroyOnReturn: false })) yield bytes as Uint8Array;
    })(),
    write: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    end: () => void socket.end(),
    reset: () => void socket.destroy(),
  };
};

networkConformance("bun", async () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  const closed = createServer();
  const nobody = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  return {
    network: createBunNetwork(),
    addressWithoutPeer: { address: "127.0.0.1", port: nobody },
    async listen() {
      const far = Promise.withResolvers<Connection>();
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.push(socket);
        far.resolve(toFar(socket));
      });
      servers.push(server);
      return { at: { address: "127.0.0.1", port: await listening(server) }, far: far.promise };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
});

describe("a connection by TLS", () => {
  const cleanup: (() => void)[] = [];
  afterEach(() => {
    for (const clean of cleanup.splice(0)) clean();
  });

  /** A server whose certificate is for `host`, by an authority that only some clients trust. */
  const serve = async (host: string, versions: object = {}) => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-network-"));
    const authority = createAuthority({ folder, now: Date.now });
    const { key, certificate } = await authority.leafFor(host);
    const server = createTlsServer(
      { key, cert: certificate, ALPNProtocols: ["h2", "http/1.1"], ...versions },
      (socket) => {
        socket.on("error", () => {});
        // Reports the protocol that this side chose from the offer.
        socket.end(`hello by ${String(socket.alpnProtocol)}`);
      },
    );
    cleanup.push(
      () => server.close(),
      () => rmSync(folder, { recursive: true }),
    );
    const port = await listening(server);
    /** Runs in a separate process, because the trusted authorities are read once at its start. */
    const dial = async (tlsHost: string, trusted: boolean): Promise<string> => {
      const script = `
        const { createBunNetwork } = await import(${JSON.stringify(join(import.meta.dir, "network.ts"))});
        try {
          const connection = await createBunNetwork().dial({ address: "127.0.0.1", port: ${port}, tlsHost: ${JSON.stringify(tlsHost)} }, new AbortController().signal);
          let text = "";
          for await (const bytes of connection.bytes) text += new TextDecoder().decode(bytes);
          console.log(text);
        } catch (error) {
          console.log(error.code, error.message);
        }
        process.exit(0);`;
      const child = Bun.spawn([process.execPath, "--no-install", "-e", script], {
        env: {
          PATH: "/usr/bin:/bin",
          ...(trusted ? { NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") } : {}),
          // These proxies do not exist, so using one would fail.
          ...Object.fromEntries(
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"].map((name) => [
              name,
              "http://127.0.0.1:1",
            ]),
          ),
        },
        stdout: "pipe",
        stderr: "inherit",
      });
      return (await new Response(child.stdout).text()).trim();
    };
    return { dial };
  };

  test("opens when the certificate is trusted and for that host, whatever proxies the environment names", async () => {
    const { dial } = await serve("allowed.example");
    expect(await dial("allowed.example", true)).toBe("hello by http/1.1");
    expect(await dial("other.example", true)).toContain(
      "egress.failed other.example could not be reached: ERR_TLS_CERT_ALTNAME_INVALID",
    );
    expect(await dial("127.0.0.1", true)).toContain("egress.failed");
    expect(await dial("allowed.example", false)).toStartWith("egress.failed allowed.example could not be reached: ");
  });

  test("to an address opens when the certificate is for that address", async () => {
    const { dial } = await serve("127.0.0.1");
    expect(await dial("127.0.0.1", true)).toBe("hello by http/1.1");
    expect(await dial("127.0.0.2", true)).toContain("egress.failed");
  });

  test("with an old TLS version fails", async () => {
    const { dial } = await serve("allowed.example", { minVersion: "TLSv1", maxVersion: "TLSv1.1" });
    expect(await dial("allowed.example", true)).toStartWith("egress.failed");
  });
});

resolverConformance("bun", createBunResolver(), { known: "localhost", some: ["127.0.0.1", "::1"] });
