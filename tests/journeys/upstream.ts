/**
 * A TLS server on this machine with pages, a repository and a package for programs to fetch, and
 * its own certificate.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Upstream extends AsyncDisposable {
  readonly port: number;
  /** The certificate that clients must trust. */
  readonly certificate: string;
  /** `METHOD path` of each request, and its credentials. */
  readonly seen: readonly { readonly line: string; readonly authorization: string | null }[];
}

const run = (folder: string, ...argv: readonly string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync([...argv], {
    cwd: folder,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (exitCode !== 0) throw new Error(`${argv[0]} ended with ${exitCode}: ${String(stderr)}`);
};

export const startUpstream = (): Upstream => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-upstream-"));
  const certificate = join(folder, "cert.pem");
  run(
    folder,
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"],
    ...["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=upstream", "-addext", "subjectAltName=IP:127.0.0.1"],
  );
  const seen: { line: string; authorization: string | null }[] = [];
  const files = new Map<string, Uint8Array<ArrayBuffer> | string>([["/page", "a page from afar\n"]]);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key: Bun.file(join(folder, "key.pem")), cert: Bun.file(certificate) },
    fetch(request) {
      const { pathname } = new URL(request.url);
      seen.push({ line: `${request.method} ${pathname}`, authorization: request.headers.get("authorization") });
      if (pathname === "/echo") return new Response(`you said ${request.headers.get("authorization")}\n`);
      const file = files.get(decodeURIComponent(pathname));
      if (file === undefined) return new Response("nothing\n", { status: 404 });
      return new Response(file, {
        headers: { "content-type": typeof file === "string" ? typeOf(pathname) : "application/octet-stream" },
      });
    },
  });
  const port = server.port ?? 0;
  putRepository(folder, files);
  putWheel(folder, files);
  return {
    port,
    certificate,
    seen,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      rmSync(folder, { recursive: true });
    },
  };
};

const typeOf = (path: string): string => (path.startsWith("/simple/") ? "text/html" : "text/plain");

/** A git repository as static files. */
const putRepository = (folder: string, files: Map<string, Uint8Array<ArrayBuffer> | string>): void => {
  if (Bun.which("git") === null) return;
  const work = join(folder, "work");
  mkdirSync(work);
  writeFileSync(join(work, "README"), "from a repository\n");
  const own = ["-c", "user.name=Upstream", "-c", "user.email=upstream@example.invalid"];
  run(work, "git", "init", "-q", "-b", "main");
  run(work, "git", "add", ".");
  run(work, "git", ...own, "commit", "-q", "-m", "one");
  run(folder, "git", "clone", "-q", "--bare", work, "repository.git");
  run(join(folder, "repository.git"), "git", "update-server-info");
  for (const name of new Bun.Glob("**/*").scanSync({ cwd: join(folder, "repository.git"), dot: true }))
    files.set(`/repository.git/${name}`, new Uint8Array(readFileSync(join(folder, "repository.git", name))));
};

const putWheel = (folder: string, files: Map<string, Uint8Array<ArrayBuffer> | string>): void => {
  if (Bun.which("python3") === null) return;
  const info = join(folder, "from_afar-1.0.dist-info");
  mkdirSync(info);
  writeFileSync(join(folder, "from_afar.py"), 'said = "from an index"\n');
  writeFileSync(join(info, "METADATA"), "Metadata-Version: 2.1\nName: from-afar\nVersion: 1.0\n");
  writeFileSync(join(info, "WHEEL"), "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
  writeFileSync(
    join(info, "RECORD"),
    ["from_afar.py", ...["METADATA", "WHEEL", "RECORD"].map((name) => `from_afar-1.0.dist-info/${name}`)]
      .map((name) => `${name},,\n`)
      .join(""),
  );
  const wheel = "from_afar-1.0-py3-none-any.whl";
  run(folder, "python3", "-m", "zipfile", "-c", wheel, "from_afar.py", "from_afar-1.0.dist-info");
  files.set("/simple/from-afar/", `<a href="../../wheels/${wheel}">${wheel}</a>`);
  files.set(`/wheels/${wheel}`, new Uint8Array(readFileSync(join(folder, wheel))));
};

/** A server that counts the bytes of all connections and always sends the same response. */
export const startCounter = async (answer: string) => {
  const counts = { received: 0, sent: 0 };
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (bytes: Uint8Array) => {
      counts.received += bytes.length;
      text += String(bytes);
      if (
        !text.includes("\r\n\r\n") ||
        text.length < text.indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      )
        return;
      text = "";
      const out = `HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`;
      counts.sent += out.length;
      socket.write(out);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    counts,
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
