/**
 * Loaded into the daemon of a test before its own modules: every name resolves to one public
 * address, and connections to it lead to a local port. All other code is the daemon's own.
 */
import { readFileSync } from "node:fs";

const DIAL = "connectSecure(address, port, tlsHost)";

Bun.plugin({
  name: "public-site",
  setup(build) {
    build.onLoad({ filter: /adapter\/bun\/egress\/resolver\.ts$/ }, () => ({
      loader: "ts",
      contents: 'export const createBunResolver = () => ({ resolve: async () => ["93.184.216.34"] });',
    }));
    build.onLoad({ filter: /adapter\/bun\/egress\/network\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (!source.includes(DIAL)) throw new Error(`${path} no longer contains ${DIAL}`);
      const dial = 'connectSecure("127.0.0.1", Number(process.env["PUBLIC_SITE_PORT"]), tlsHost)';
      return { loader: "ts", contents: source.replace(DIAL, dial) };
    });
  },
});
