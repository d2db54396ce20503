import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import type { Terminal } from "../terminal.ts";

const own = commandsForEach();
const { hearth, hearthAt, json } = own;

describe("providers", () => {
  const provider = {
    name: "den",
    kind: "openai",
    source: "config",
    ready: true,
    detail: "",
    suggestedModel: "den/llama",
  };

  test("are added with a reference to the key, never with the key itself", async () => {
    own.house.answer("POST /api/providers", provider);
    expect(
      (
        await hearth(
          "provider",
          "add",
          "den",
          "--kind",
          "openai",
          "--base-url",
          "http://127.0.0.1:1/v1",
          "--api-key",
          "env:KEY",
        )
      ).code,
    ).toBe(0);
    expect(own.house.requests).toEqual([
      'POST /api/providers {"name":"den","kind":"openai","apiKey":"env:KEY","baseUrl":"http://127.0.0.1:1/v1"}',
    ]);
    const refused = await hearth("provider", "add", "den", "--api-key", "sk-very-secret");
    expect(refused.code).toBe(2);
    expect(refused.err).not.toContain("sk-very-secret");
    expect(own.house.requests).toHaveLength(1);
  });

  test("are changed in their address and retries", async () => {
    own.house.answer("PATCH /api/providers/den", provider);
    expect((await hearth("provider", "edit", "den", "--base-url", "http://127.0.0.1:2/v1", "--retries", "")).out).toBe(
      "changed den\n",
    );
    expect(own.house.requests).toEqual(['PATCH /api/providers/den {"baseUrl":"http://127.0.0.1:2/v1","retries":null}']);
    expect((await hearth("provider", "edit", "den")).code).toBe(2);
    expect((await hearth("provider", "edit", "den", "--retries", "9")).code).toBe(2);
  });

  test("accept a key on stdin, which is never printed", async () => {
    own.house.answer("POST /api/providers", { ...provider, detail: "key from file:keys/den" });
    const readInput = () => Promise.resolve("sk-typed-4711\n");
    const add = (input: Partial<Terminal>, ...more: string[]) =>
      hearthAt({ stdinIsTerminal: false, ...input }, "provider", "add", "den", "--key-stdin", ...more);
    const added = await add({ readInput }, "--kind", "openai");
    expect(added).toEqual({ code: 0, out: "added den\n", err: "To test it: hearth provider test den\n" });
    const asked = 'POST /api/providers {"name":"den","kind":"openai","key":"sk-typed-4711"}';
    expect(own.house.requests).toEqual([asked]);
    const pasted = await add({ readInput, stdinIsTerminal: true });
    expect(pasted.err).toStartWith("Paste the key, then press Enter and Ctrl-D.\n");
    for (const input of ["", " \n", "sk-typed-4711 and more", "KEY=sk-typed-4711\nOTHER=1", "x4711".repeat(101)]) {
      const refused = await add({ readInput: () => Promise.resolve(input) });
      expect([refused.code, refused.out]).toEqual([2, ""]);
      expect(refused.err).toContain("stdin");
      expect(refused.err).not.toContain("4711");
    }
    expect((await add({ readInput }, "--api-key", "env:KEY")).code).toBe(2);
    expect(own.house.requests).toHaveLength(2);
  });

  test("on this machine are found, with the command to add them", async () => {
    own.house.answer("GET /api/providers/found", []);
    expect(await hearth("provider", "found")).toEqual({
      code: 0,
      out: "",
      err: "No new model servers found.\n",
    });
    const server = { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:1/v1", models: ["small", "b\u001b"] };
    own.house.answer("GET /api/providers/found", [server]);
    expect(await json("provider", "found")).toEqual([server]);
    const { out, err } = await hearth("provider", "found");
    expect(out).toContain("ollama  openai  http://127.0.0.1:1/v1  small, b\\e\n");
    expect(err).toBe("To use it: hearth provider add ollama --kind openai --base-url http://127.0.0.1:1/v1\n");
  });

  test("list their models, one per line", async () => {
    own.house.answer("GET /api/providers/den/models", ["large", "sm\u001ball"]);
    expect(await hearth("provider", "models", "den")).toEqual({ code: 0, out: "large\nsm\\eall\n", err: "" });
    expect(await json("provider", "models", "den")).toEqual(["large", "sm\u001ball"]);
    own.house.answer("GET /api/providers/den/models", []);
    expect(await hearth("provider", "models", "den")).toEqual({ code: 0, out: "", err: '"den" lists no models.\n' });
    const refusal = { code: "provider.auth", message: "den has no key.", hint: "Give it one." } as const;
    own.house.refuse("GET /api/providers/den/models", refusal);
    expect(await hearth("provider", "models", "den")).toEqual({
      code: 1,
      out: "",
      err: "hearth: den has no key.\n  Give it one.\n",
    });
  });

  test("without a suggested model ask for the name of a model to test", async () => {
    const { suggestedModel: _model, ...plain } = provider;
    own.house.answer("POST /api/providers", provider);
    expect((await hearth("provider", "add", "den")).err).toBe("To test it: hearth provider test den\n");
    own.house.answer("POST /api/providers", plain);
    expect((await hearth("provider", "add", "den")).err).toBe("To test it: hearth provider test den --model MODEL\n");
    own.house.answer("GET /api/providers", [plain]);
    expect(await hearth("provider", "test", "den")).toMatchObject({
      code: 2,
      err: 'hearth: Provider "den" has no suggested model.\n  Give one: hearth provider test den --model MODEL\n',
    });
  });

  test("that do not exist are not tested, and the nearest name is suggested", async () => {
    own.house.answer("GET /api/providers", [provider]);
    for (const more of [[], ["--model", "m"]]) {
      expect(await hearth("provider", "test", "dne", ...more)).toEqual({
        code: 2,
        out: "",
        err: 'hearth: There is no provider "dne". Did you mean "den"?\n  Providers: den. To add one: hearth provider add NAME --kind KIND\n',
      });
    }
  });

  test("are tested with the suggested model, and a failed call exits with 1", async () => {
    own.house.answer("GET /api/providers", [provider]);
    own.house.answer("POST /api/providers/den/test", { ok: true, detail: "hello", durationMs: 12 });
    expect(await hearth("provider", "test", "den")).toEqual({
      code: 0,
      out: "ok  den/llama: hello (12 ms)\n",
      err: "",
    });
    expect(own.house.requests.at(-1)).toBe('POST /api/providers/den/test {"model":"llama"}');
    own.house.answer("POST /api/providers/den/test", { ok: false, detail: "no key", durationMs: 12 });
    expect((await hearth("provider", "test", "den", "--model", "m")).code).toBe(1);
    expect((await hearth("provider", "test", "other")).code).toBe(2);
  });
});
