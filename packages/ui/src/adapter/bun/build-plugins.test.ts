/** Compares the reduced libraries with the complete ones. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@hearth/client";
import { type Fetch, JobList } from "@hearth/protocol";
import { type Operation, declareOperations } from "@hearth/protocol/operations";
import { Lexer } from "marked";
import { cutToLexer, buildPlugins, lexerPlugin, markSchemas, toAddresses } from "./build-plugins.ts";

const MARKED = fileURLToPath(import.meta.resolve("marked"));
const FIXTURES = ["xss", "blns"].map((name) => new URL(`../../../../../tests/fixtures/${name}.json`, import.meta.url));

const samples = `# Head

A **paragraph** with _some_ \`code\`, [a link](https://example.com "title"), <https://a.example>, www.b.example
and ~~more~~, ![a picture](x.png) and a [reference][one].

[one]: https://c.example

1. one
   - two
   - [x] three

> a quote

| a | b |
|---|:-:|
| 1 | 2 |

---

\`\`\`ts
const a = 1;
\`\`\`

<b>html</b>
`;

test("the reduced lexer makes the same tokens as all of marked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-lexer-"));
  try {
    const built = await Bun.build({ entrypoints: [MARKED], plugins: [lexerPlugin], outdir: folder });
    const small: { readonly Lexer: typeof Lexer } = await import(built.outputs[0]?.path ?? "");
    expect(Object.keys(small).toSorted()).toEqual(["Lexer", "Tokenizer"]);
    const texts = await Promise.all(
      FIXTURES.map(async (url): Promise<{ items: readonly string[] }> => Bun.file(url).json()),
    );
    const all = [samples, ...texts.flatMap(({ items }) => items)];
    expect(all.length).toBeGreaterThan(100);
    for (const text of all) {
      const options = { gfm: true, breaks: true };
      expect(new small.Lexer(options).lex(text)).toEqual(new Lexer(options).lex(text));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("an unknown structure of marked is rejected", async () => {
  const marked = await readFile(MARKED, "utf8");
  expect(cutToLexer(marked).length).toBeLessThan(marked.length * 0.85);
  const exported = marked.lastIndexOf("export{");
  for (const other of ["", marked.slice(0, exported), marked.replaceAll("=class", "= class"), "export{a as Lexer};"])
    expect(() => cutToLexer(other)).toThrow("unknown structure");
});

const about = { id: "listJobs", method: "GET", path: "/api/jobs", needs: "credential", summary: "Lists jobs" } as const;

test("an operation is reduced to its address and the schema of its answer", () => {
  const jobs = declareOperations("Jobs", {
    list: { ...about, answers: { status: 200, schema: JobList } },
    export: { ...about, answers: { status: 200, schema: JobList, type: "text/csv" } },
    clear: { ...about, answers: { status: 204 } },
  });
  expect(toAddresses({ jobs, unrelated: "text", table: [jobs.list] satisfies readonly Operation[] })).toBe(
    [
      'import { JobList } from "../index.ts";',
      'export const jobs = { list: { method: "GET", path: "/api/jobs", answers: { schema: JobList } }, export: {"method":"GET","path":"/api/jobs","answers":{}}, clear: {"method":"GET","path":"/api/jobs","answers":{}} };',
      "export {};",
    ].join("\n"),
  );
});

test("an answer whose schema is not exported is rejected", () => {
  const jobs = declareOperations("Jobs", { list: { ...about, answers: { status: 200, schema: JobList.shape.jobs } } });
  expect(() => toAddresses({ jobs })).toThrow("The protocol does not export the schema of the answer to listJobs.");
});

test("constants that are schemas are marked, and others are not", () => {
  const source = "const a = 1;\nexport const B = z.object({\n  c: z.string(),\n});\nconst d = zero(a);\n";
  expect(markSchemas(source)).toBe(
    "const a = 1;\nexport const B = /* @__PURE__ */ (() => z.object({\n  c: z.string(),\n}))();\nconst d = zero(a);\n",
  );
});

/** The requests of a few calls, and their errors. */
const requestsOf = async (create: typeof createClient): Promise<readonly unknown[]> => {
  const seen: unknown[] = [];
  const answer: Fetch = async (url, init) => {
    seen.push([init?.method, url instanceof Request ? url.url : url.toString(), init?.body]);
    return Response.json(init?.method === "GET" ? [] : {});
  };
  const client = create({ baseUrl: "http://127.0.0.1:1", fetch: answer, sleep: () => Promise.resolve() });
  const note = (error: unknown): void => void seen.push(String(error));
  seen.push(await client.agents.list({}));
  await client.me().catch(note);
  await (await client.jobs()).edit("main", "a/b", { paused: true }).catch(note);
  await (await client.jobs()).cancel("main", "tea");
  await (await client.brains()).write("main", "notes.md", "hi").catch(note);
  await client.rooms.events("den", { before: "end", limit: 1 }).catch(note);
  return seen;
};

test("a client with reduced operations sends the same requests and checks the same answers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-client-"));
  try {
    const entry = fileURLToPath(import.meta.resolve("@hearth/client"));
    const built = await Bun.build({
      entrypoints: [entry],
      plugins: [...buildPlugins],
      outdir: folder,
      minify: true,
      splitting: true,
      target: "browser",
    });
    const path = built.outputs.find(({ kind }) => kind === "entry-point")?.path ?? "";
    const small: { readonly createClient: typeof createClient } = await import(path);
    const requests = await requestsOf(small.createClient);
    expect(requests).toEqual(await requestsOf(createClient));
    // Three answers do not match their schemas.
    expect(requests.filter((request) => typeof request === "string")).toHaveLength(3);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
