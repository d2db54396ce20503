/** A cell's own loopback and its folder for passing things, on Bun. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CellConnection, DoorFrame } from "../../egress/door.ts";

export const createBunDoorFrame = (): DoorFrame => {
  const folders: string[] = [];
  return {
    async listen(serve) {
      // Few cells open their door, and to read this takes as long as all that an inmate says hello with.
      const { createServer } = await import("node:net");
      const sockets = new Set<Socket>();
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
        serve(toConnection(socket));
      });
      const { promise, resolve, reject } = Promise.withResolvers<{ readonly port: number; close(): void }>();
      server.on("error", reject);
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        const port = typeof address === "object" && address !== null ? address.port : 0;
        resolve({
          port,
          close() {
            server.close();
            for (const socket of sockets) socket.destroy();
          },
        });
      });
      return promise;
    },
    async keep(text) {
      const folder = await mkdtemp(join(tmpdir(), "hearth-egress-"));
      folders.push(folder);
      // Commands may run as another user than the inmate.
      await chmod(folder, 0o755);
      const path = join(folder, "authority.pem");
      await writeFile(path, text, { mode: 0o644 });
      return path;
    },
    async forget() {
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    },
  };
};

const toConnection = (socket: Socket): CellConnection => {
  // Whoever reads or writes learns of it.
  socket.on("error", () => {});
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of socket.iterator({ destroyOnReturn: false })) yield bytes as Uint8Array;
  };
  return {
    bytes: read(),
    async write(bytes) {
      if (!socket.writable) throw new Error("it takes no more");
      if (socket.write(bytes)) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          for (const name of ["drain", "close"]) socket.off(name, wake);
          resolve();
        };
        for (const name of ["drain", "close"]) socket.on(name, wake);
      });
    },
    end: () => {
      socket.end();
    },
    reset: () => {
      socket.destroy();
    },
  };
};
