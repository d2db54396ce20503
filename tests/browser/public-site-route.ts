/**
 * Loaded into the daemon of a test before its own modules: every name resolves to one public
 * address, and connections to it lead to a local port. All other code is the daemon's own.
 */
import { readFileSync } from "node:fs";

const DIAL = "connectSecure(address, port, tlsHost)";
const FIND_COMPILED = "export const findCompiled =";

/** Returns the source with one text replaced. Throws if it lacks the text. */
const change = (path: string, from: string, to: string): { readonly loader: "ts"; readonly contents: string } => {
  const source = readFileSync(path, "utf8");
  if (!source.includes(from)) throw new Error(`${path} no longer contains ${from}`);
  return { loader: "ts", contents: source.replace(from, to) };
};

Bun.plugin({
  name: "public-site",
  setup(build) {
    build.onLoad({ filter: /adapter\/bun\/egress\/resolver\.ts$/ }, () => ({
      loader: "ts",
      contents: 'export const createBunResolver = () => ({ resolve: async () => ["93.184.216.34"] });',
    }));
    build.onLoad({ filter: /adapter\/bun\/egress\/network\.ts$/ }, ({ path }) =>
      change(path, DIAL, 'connectSecure("127.0.0.1", Number(process.env["PUBLIC_SITE_PORT"]), tlsHost)'),
    );
    // A compiled program would not load the modules above.
    build.onLoad({ filter: /cli\/src\/compiled\/compiled\.ts$/ }, ({ path }) =>
      change(path, FIND_COMPILED, `export const findCompiled = () => undefined;\nexport const replaced =`),
    );
  },
});
