/** A file that is uploaded while the daemon is killed, sent, downloaded, backed up and restored. */
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type UploadSource } from "@hearth/client";
import { isHearthError, UPLOAD_PART_BYTES } from "@hearth/protocol";
import { spend, until } from "@hearth/protocol/until";
import { createHome, type Daemon, eventsOf, hearth, startDaemon } from "./daemon.ts";

const SIZE = 2 * UPLOAD_PART_BYTES + 12_345;

const clientOf = ({ url, token }: Daemon) => createClient({ baseUrl: url, token, fetch, sleep: spend });

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const read = async (daemon: Daemon, room: string, id: string, from = 0): Promise<Uint8Array> =>
  (await (await clientOf(daemon).uploads()).read(room, id, from)).bytes();

test("an upload continues after its daemon was killed, and its message, a backup and a restored house have every byte", async () => {
  using home = createHome();
  using other = createHome();
  const backups = `${home.folder}-backups`;
  const target = join(other.folder, "house");
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const content = new Uint8Array(SIZE).map((_, index) => (bytes[index & 65_535] ?? 0) ^ (index >> 16));
  const file = join(other.folder, "notes of Ana.txt");
  writeFileSync(file, "line one\nline two\n");
  let id = "";
  let sent = 0;
  const source: UploadSource = {
    name: "film.bin",
    sizeBytes: SIZE,
    read: async (from, to) => content.slice(from, to),
  };
  try {
    {
      await using daemon = await startDaemon(home.folder);
      const left = new AbortController();
      const uploads = await clientOf(daemon).uploads();
      // The last part is not read before the kill, because parts are sent at the same time.
      const read: UploadSource["read"] = async (from, to) => {
        if (to === SIZE) await new Promise((resolve) => left.signal.addEventListener("abort", resolve));
        return source.read(from, to);
      };
      const cut = uploads.send(
        { ...source, read },
        {
          signal: left.signal,
          onBegun: (begun) => void (id = begun),
          onProgress: (count) => void (sent = count),
        },
      );
      cut.catch(() => {});
      await until(() => sent >= UPLOAD_PART_BYTES);
      await daemon.kill();
      left.abort();
      expect(isHearthError(await cut.catch((error: unknown) => error))).toBe(true);
    }
    const room = "main";
    {
      await using daemon = await startDaemon(home.folder);
      const client = clientOf(daemon);
      const offsets: number[] = [];
      const attachment = await (
        await client.uploads()
      ).send(source, {
        uploadId: id,
        onProgress: (count) => void offsets.push(count),
      });
      expect(offsets[0]).toBeGreaterThanOrEqual(sent);
      expect(attachment).toMatchObject({ id, hash: hashOf(content), type: "application/octet-stream" });
      await client.rooms.post(room, { text: "", attachments: [attachment.id] });
      expect(hashOf(await read(daemon, room, id))).toBe(hashOf(content));
      expect(hashOf(await read(daemon, room, id, SIZE - 5))).toBe(hashOf(content.slice(-5)));

      const chat = await daemon.hearth("chat", "--file", file, "-m", "list files");
      expect([chat.code, chat.stderr]).toEqual([0, "Sent notes of Ana.txt, 18 bytes.\n"]);
      const named = (await eventsOf(daemon, room)).flatMap((event) => event.attachments ?? []);
      expect(named.map(({ name, type }) => [name, type])).toEqual([
        ["film.bin", "application/octet-stream"],
        ["notes of Ana.txt", "text/plain"],
      ]);
      const listed = await daemon.hearth("room", "events", room);
      expect(listed.stdout).toContain('[file "notes of Ana.txt": text/plain, 18 bytes]');

      const saved = join(other.folder, "saved");
      expect((await daemon.hearth("room", "files", room, "film.bin", "--to", saved)).code).toBe(0);
      expect(hashOf(readFileSync(saved))).toBe(hashOf(content));

      expect((await daemon.hearth("backup", "--to", backups)).code).toBe(0);
      expect((await daemon.hearth("audit", "verify")).code).toBe(0);
    }
    expect((await hearth(["restore", "--from", backups, "--home", target])).code).toBe(0);
    await using daemon = await startDaemon(target);
    expect(hashOf(await read(daemon, room, id))).toBe(hashOf(content));
    expect(readFileSync(file, "utf8")).toBe("line one\nline two\n");
  } finally {
    rmSync(backups, { recursive: true, force: true });
  }
}, 120_000);
