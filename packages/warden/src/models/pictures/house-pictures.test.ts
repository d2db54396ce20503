import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { parseConfig } from "../../kernel/config/read.ts";
import { expectFailure, never } from "../voice/failures.conformance.ts";
import { createHousePictures } from "./house-pictures.ts";
import { SOURCE } from "./picture-provider.conformance.ts";

const setUp = (table: string) => {
  const { config } = parseConfig(`version = 1\n${table}`, "hearth.toml");
  const { clock } = createFakeWorld({ hash: () => "" });
  const requests: Request[] = [];
  const pictures = createHousePictures({
    world: {
      clock,
      async fetch(input, init) {
        requests.push(new Request(input, init));
        return Response.json({ data: [{ b64_json: SOURCE.bytes.toBase64() }] });
      },
    },
    config: { current: () => config },
    references: { environment: (name) => (name === "KEY" ? "key-1" : undefined), readFile: async () => undefined },
  });
  return { pictures, requests };
};

const ORDER = { prompt: "A shed", count: 2 };

test("without a table nothing is prepared", async () => {
  const { pictures } = setUp("");
  expect(await pictures.prepare(ORDER)).toBeUndefined();
  expect((await pictures.describe()).state).toBe("off");
});

test.each([
  ['kind = "openai"\napi_key = "env:KEY"', "openai gpt-image-2, $0.08 a picture", "openai/gpt-image-2", 160_000],
  [
    'kind = "gemini"\napi_key = "env:KEY"',
    "gemini gemini-3.1-flash-image, $0.07 a picture",
    "gemini/gemini-3.1-flash-image",
    140_000,
  ],
  [
    'kind = "openai"\nmodel = "new"\napi_key = "env:KEY"',
    "openai new, price unknown: counted as $0.3 a picture",
    "openai/new",
    600_000,
  ],
  [
    'kind = "openai"\nbase_url = "https://far.test/v1/"\nmodel = "gpt-image-2"',
    "openai gpt-image-2 at far.test, price unknown: counted as $0.3 a picture",
    "openai/gpt-image-2",
    600_000,
  ],
  [
    'kind = "openai"\nbase_url = "http://127.0.0.1:8080/v1"\nmodel = "sdxl"',
    "openai sdxl at 127.0.0.1:8080, free",
    "openai/sdxl",
    0,
  ],
  [
    'kind = "openai"\napi_key = "env:KEY"\nprice_per_picture = 0.5',
    "openai gpt-image-2, $0.5 a picture",
    "openai/gpt-image-2",
    1_000_000,
  ],
  ['kind = "fake"', "fake, free", "fake", 0],
])("%s has a state, a name and a price", async (table, detail, name, cost) => {
  const { pictures, requests } = setUp(`[pictures]\n${table}\n`);
  expect(await pictures.describe()).toEqual({ state: "ready", detail });
  const prepared = await pictures.prepare(ORDER);
  expect([prepared?.name, prepared?.costOf(2)]).toEqual([name, cost]);
  expect(requests).toEqual([]);
});

test("the call goes to the configured server with the key", async () => {
  const { pictures, requests } = setUp(
    '[pictures]\nkind = "openai"\nbase_url = "https://far.test/v1/"\napi_key = "env:KEY"\n',
  );
  const prepared = await pictures.prepare(ORDER);
  expect(await prepared?.run(never)).toEqual([SOURCE]);
  expect(requests.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
    ["https://far.test/v1/images/generations", "Bearer key-1"],
  ]);
});

test("a key that is missing, and a mask for a kind without masks, are refused before the request", async () => {
  const missing = setUp('[pictures]\nkind = "openai"\napi_key = "env:OTHER"\n');
  await expectFailure(missing.pictures.prepare(ORDER), "provider.auth");
  expect(await missing.pictures.describe()).toMatchObject({ state: "missing", fix: expect.stringContaining("OTHER") });
  const gemini = setUp('[pictures]\nkind = "gemini"\napi_key = "env:KEY"\n');
  await expectFailure(gemini.pictures.prepare({ ...ORDER, source: SOURCE, mask: SOURCE }), "provider.refused");
  expect([...missing.requests, ...gemini.requests]).toEqual([]);
});

test("a vendor's own address needs a key, and an unknown kind is refused with its line", () => {
  for (const kind of ["openai", "gemini"])
    expect(() => setUp(`[pictures]\nkind = "${kind}"\n`)).toThrow("pictures.api_key is missing");
  expect(() => setUp('[pictures]\nkind = "paint"\n')).toThrow("pictures.kind");
});
