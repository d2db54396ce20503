/** The files of a workspace on a real disk, through the API of an assembled house. */
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBunBrainDisk } from "../../src/adapter/bun/brain-disk.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import { callHouse } from "../../src/fixtures/uploads-of-house.ts";

const FILES = "/api/agents/main/files";
const CSV = "month,euros\nmay,12\n";

const open = async () => {
  const root = mkdtempSync(join(tmpdir(), "hearth-files-"));
  const workspace = join(root, "main/workspace");
  const disk = createTestDisk();
  mkdirSync(workspace, { recursive: true });
  const house = await openTestHouse({
    disk: { ...disk, brains: createBunBrainDisk(root) },
    script: () => ({ text: "hello" }),
  });
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  const responses: Response[] = [];
  const get = async (path: string, headers = {}, method = "GET"): Promise<Response> => {
    const response = await callHouse(house, method, `${FILES}${path}`, { headers });
    responses.push(response);
    return response;
  };
  const at = (path: string): string => `path=${encodeURIComponent(path)}`;
  return {
    root,
    workspace,
    put,
    get,
    as: (key: string, path: string) => callHouse(house, "GET", path, { key }),
    /** The key of a person without any right. */
    async keyOfStranger(): Promise<string> {
      const person = { level: "none", content: { name: "Guest", kind: "human" } };
      const { json: guest } = await house.ask("POST", "/api/agents", person);
      return (await house.ask("POST", "/api/keys", { agent: guest.id, name: "guest" })).json.key;
    },
    list: async (path?: string) => (await get(path === undefined ? "" : `?${at(path)}`)).json(),
    read: (path: string, headers = {}, method = "GET") => get(`/content?${at(path)}`, headers, method),
    zip: (path?: string) => get(path === undefined ? "/archive" : `/archive?${at(path)}`),
    code: async (response: Response) => (await response.json()).error?.code,
    async [Symbol.asyncDispose]() {
      // Bodies that the test did not read keep their files open.
      for (const response of responses) if (!response.bodyUsed) await response.bytes();
      await house[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
};

test("a folder is listed, and a file is downloaded whole, in part, and not again while it is the same", async () => {
  await using house = await open();
  house.put("reports/may.csv", CSV);
  expect(await house.list()).toMatchObject({ entries: [{ name: "reports", kind: "folder" }], isComplete: true });
  expect((await house.list("reports")).entries).toMatchObject([
    { name: "may.csv", kind: "file", sizeBytes: CSV.length },
  ]);
  const whole = await house.read("reports/may.csv");
  expect([whole.status, whole.headers.get("content-length"), await whole.text()]).toEqual([200, "19", CSV]);
  const part = await house.read("reports/may.csv", { range: "bytes=6-10" });
  expect([part.status, await part.text()]).toEqual([206, "euros"]);
  const etag = whole.headers.get("etag") ?? "";
  expect((await house.read("reports/may.csv", { "if-none-match": etag })).status).toBe(304);
  house.put("reports/may.csv", `${CSV}june,3\n`);
  expect((await house.read("reports/may.csv", { "if-none-match": etag })).status).toBe(200);
  const head = await house.read("reports/may.csv", {}, "HEAD");
  expect([head.headers.get("content-length"), await head.text()]).toEqual(["26", ""]);
});

test("an empty file is downloaded, and what does not exist is reported as missing", async () => {
  await using house = await open();
  house.put("empty.txt", "");
  const empty = await house.read("empty.txt");
  expect([empty.status, await empty.text()]).toEqual([200, ""]);
  expect(await house.code(await house.read("none.txt"))).toBe("brain.not-found");
  expect(await house.code(await house.zip("none"))).toBe("brain.not-found");
  expect((await house.get("?path=none")).status).toBe(404);
});

test("a folder is downloaded as a zip file with its files, below its own name", async () => {
  await using house = await open();
  house.put("reports/may.csv", CSV);
  house.put("reports/deep/notes.md", "# Notes\n");
  house.put("other.txt", "not in it");
  const answer = await house.zip("reports");
  expect(answer.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''reports.zip");
  expect(unpack(await answer.bytes(), house.root)).toEqual({ "deep/notes.md": "# Notes\n", "may.csv": CSV });
  const all = unpack(await (await house.zip()).bytes(), house.root);
  expect(Object.keys(all)).toEqual(["other.txt", "reports/deep/notes.md", "reports/may.csv"]);
});

test("A27: links, pipes and paths out of the workspace are neither read nor archived, and the list says why", async () => {
  await using house = await open();
  writeFileSync(join(house.root, "main/SECRET.md"), "of the brain");
  symlinkSync(join(house.root, "main/SECRET.md"), join(house.workspace, "link.txt"));
  symlinkSync(join(house.root, "main"), join(house.workspace, "up"));
  execFileSync("mkfifo", [join(house.workspace, "pipe")]);
  for (const path of ["link.txt", "up/SECRET.md", "../SECRET.md", "a/../../SECRET.md", "/etc/passwd", "pipe", "."]) {
    const answer = await house.read(path);
    const isHidden = path.startsWith("a/") || answer.status === 400;
    expect([path, isHidden, (await answer.text()).includes("of the brain")]).toEqual([path, true, false]);
  }
  for (const path of ["up", "..", "../.."]) {
    expect(await house.code(await house.get(`?path=${encodeURIComponent(path)}`))).toBe("brain.path");
    expect(await house.code(await house.zip(path))).toBe("brain.path");
  }
  expect((await house.list()).entries).toMatchObject([
    { name: "link.txt", kind: "other", why: "is a link, which is not followed" },
    { name: "pipe", kind: "other", why: "is not a regular file" },
    { name: "up", kind: "other", why: "is a link, which is not followed" },
  ]);
  const archived = unpack(await (await house.zip()).bytes(), house.root);
  expect(Object.keys(archived)).toEqual(["left-out.txt"]);
  expect(archived["left-out.txt"]).toContain('"link.txt" is a link, which is not followed');
});

test("A28: a page or a picture with a script is a download that no browser runs", async () => {
  await using house = await open();
  house.put("page.html", "<!doctype html><script>alert(1)</script>");
  house.put("picture.png", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const path of ["page.html", "picture.png"]) {
    const { headers } = await house.read(path);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'.*; sandbox$/);
    expect(headers.get("content-disposition")).toStartWith("attachment;");
  }
  const { headers } = await house.zip();
  expect(headers.get("content-security-policy")).toEndWith("; sandbox");
});

test("A29: a name made to deceive reaches no header, no path of an archive, and no other folder", async () => {
  await using house = await open();
  const names = ["a\nset-cookie: x=1", "..\\..\\evil.txt", 'quote".txt', "\u202Etxt.exe"];
  for (const name of names) house.put(name, "content");
  const { entries } = await house.list();
  expect(entries.filter(({ kind }: { kind: string }) => kind === "other")).toMatchObject([
    { why: "contains a backslash" },
    { why: "contains a control character" },
  ]);
  for (const name of names.slice(0, 2)) expect(await house.code(await house.read(name))).toBe("brain.path");
  const quoted = await house.read(names[2] ?? "");
  expect(quoted.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''quote%22.txt");
  expect((await house.read(names[3] ?? "")).headers.get("content-disposition")).toMatch(/''[\x21-\x7e]+$/);
  const archived = Object.keys(unpack(await (await house.zip()).bytes(), house.root));
  expect(archived).toEqual(["left-out.txt", 'quote".txt', "\u202Etxt.exe"]);
});

test("A53: a file that claims 10 GiB is not archived, and a document that claims them is not converted", async () => {
  await using house = await open();
  house.put("data/large.pdf", "%PDF-1.7\n");
  const { sizeBytes } = (await house.list("data")).entries[0];
  // Without content on the disk.
  truncateSync(join(house.workspace, "data/large.pdf"), 10 * 1024 ** 3 + 1);
  const refused = await house.zip("data");
  expect([refused.status, await house.code(refused)]).toEqual([413, "brain.too-large"]);
  const text = await (await house.get("/text?path=data%2Flarge.pdf")).json();
  expect(text).toEqual({ isCut: false, why: "It has more than 32 MiB." });
  truncateSync(join(house.workspace, "data/large.pdf"), sizeBytes);
  expect((await house.zip("data")).status).toBe(200);
});

test("a document without cells that have walls has a reason instead of a text, and links are not followed", async () => {
  await using house = await open();
  house.put("report.pdf", "%PDF-1.7\n");
  writeFileSync(join(house.root, "main/SECRET.md"), "of the brain");
  symlinkSync(join(house.root, "main/SECRET.md"), join(house.workspace, "link.pdf"));
  const { isCut, why } = await (await house.get("/text?path=report.pdf")).json();
  expect([isCut, why]).toEqual([false, "This house has no cells for documents and charts."]);
  expect(await house.code(await house.get("/text?path=link.pdf"))).toBe("brain.path");
  expect(await house.code(await house.get("/text?path=none.pdf"))).toBe("brain.not-found");
});

test("a person who may not read the agent gets the answer for an agent that does not exist", async () => {
  await using house = await open();
  house.put("a.csv", CSV);
  const key = await house.keyOfStranger();
  for (const path of ["", "/content?path=a.csv", "/text?path=a.csv", "/archive"]) {
    const answers = ["main", "nobody"].map(async (agent) => {
      const answer = await house.as(key, `/api/agents/${agent}/files${path}`);
      return [answer.status, (await answer.text()).replaceAll(agent, "NAME")];
    });
    const [own, none] = await Promise.all(answers);
    expect(own).toEqual(none);
    expect([path, own?.[0]]).toEqual([path, 404]);
  }
});

/** The files of an archive, by path, as another program reads it. */
const unpack = (bytes: Uint8Array, root: string): Readonly<Record<string, string>> => {
  const path = join(root, "archive.zip");
  writeFileSync(path, bytes);
  const program =
    "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert not z.testzip(); print(json.dumps({n: z.read(n).decode() for n in sorted(z.namelist())}))";
  return JSON.parse(execFileSync("python3", ["-c", program, path], { encoding: "utf8" }));
};
