/** A house with its backups in an S3 store: killed, completed, restored, damaged. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { type S3Server, startS3Server } from "@hearth/testing/s3";
import { createHome, hearth, startDaemon } from "./daemon.ts";

const ROOT = join(import.meta.dir, "../..");

const addressOf = ({ endpoint, region }: S3Server, folder: string): string =>
  `s3://backups/house?endpoint=${endpoint}&region=${region}&access_key_id=file:${folder}/id&secret_access_key=file:${folder}/secret`;

test("a backup that is killed in an S3 store is not listed; the next one completes it, and a restore names damage", async () => {
  await using server = await startS3Server();
  using home = createHome();
  using other = createHome();
  await Bun.write(join(other.folder, "id"), server.accessKeyId);
  await Bun.write(join(other.folder, "secret"), server.secretAccessKey);
  const address = addressOf(server, other.folder);
  await using daemon = await startDaemon(home.folder);

  const words = [join(ROOT, "hearth"), "backup", "--to", address, "--home", home.folder];
  const child = Bun.spawn(words, { stdin: "ignore", stdout: "ignore", stderr: "ignore", detached: true });
  // The fourth object is received, and never answered.
  const sent = (): number => server.requests.filter((request) => request.startsWith("PUT house/objects/")).length;
  server.cut = (method, key) => method === "PUT" && key.startsWith("house/objects/") && sent() >= 3;
  await until(() => sent() >= 3);
  process.kill(-child.pid, "SIGKILL");
  await child.exited;
  server.cut = () => false;
  const listed = await hearth(["backup", "list", "--from", address, "--json"]);
  expect([listed.stderr, JSON.parse(listed.stdout)]).toEqual(["", []]);

  const made = await daemon.hearth("backup", "--to", address, "--json");
  expect([made.code, made.stderr]).toEqual([0, ""]);
  const report = JSON.parse(made.stdout);
  expect(report).toMatchObject({ number: 1, folder: "s3://backups/house", remarks: [] });
  expect(report.added.files).toBeLessThan(report.files);
  expect((await hearth(["backup", "verify", "--from", address])).stdout).toBe("backup 1: intact\n");
  const target = join(other.folder, "restored");
  const restored = await hearth(["restore", "--from", address, "--home", target]);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining("Backup 1 of home")]);
  expect(readFileSync(join(target, "hearth.toml"))).toEqual(readFileSync(join(home.folder, "hearth.toml")));

  const hash = new Bun.CryptoHasher("sha256").update(readFileSync(join(home.folder, "hearth.toml"))).digest("hex");
  const key = `house/objects/${hash.slice(0, 2)}/${hash}`;
  server.objects.set(key, Buffer.alloc(server.objects.get(key)?.length ?? 0));
  const refused = await hearth(["restore", "--from", address, "--home", join(other.folder, "refused")]);
  expect([refused.code, refused.stdout]).toEqual([1, "backup 1: damaged\n  hearth.toml: damaged\n"]);
}, 120_000);
