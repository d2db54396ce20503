import { describe, expect, test } from "bun:test";
import { type HearthError, isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { appendTable, removeTable } from "./edit.ts";
import { parseConfig } from "./read.ts";
import { configTemplate } from "./template.ts";

const file = "hearth.toml";
const openai = { kind: "openai", api_key: "env:OPENAI_API_KEY" };

const refusal = (edit: () => string): HearthError => {
  try {
    edit();
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("adding a table", () => {
  test("appends it and keeps the rest", () => {
    expect(appendTable("version = 1 # mine\n", ["providers", "openai"], openai, file)).toBe(
      'version = 1 # mine\n\n[providers.openai]\nkind = "openai"\napi_key = "env:OPENAI_API_KEY"\n',
    );
  });

  test("ends an unterminated last line with the file's own line end", () => {
    expect(appendTable("version = 1\r\n#x", ["a"], { b: 1 }, file)).toBe("version = 1\r\n#x\r\n\r\n[a]\r\nb = 1\r\n");
  });

  test("that exists is refused with its line", () => {
    const text = "version = 1\n[providers]\nopenai.kind = 'openai'\n";
    expect(refusal(() => appendTable(text, ["providers", "openai"], openai, file)).message).toBe(
      "providers.openai is already in hearth.toml line 3.",
    );
  });

  test("below an inline table is refused, because it would not parse", () => {
    const error = refusal(() => appendTable("providers = { a = { kind = 'x' } }\n", ["providers", "b"], openai, file));
    expect(error.message).toBe(
      "[providers.b] cannot be added to hearth.toml without changing other parts of the file.",
    );
    expect(error.hint).toContain("by hand");
  });

  test("to the template gives a config that has it", () => {
    const text = appendTable(configTemplate, ["providers", "openai"], openai, file);
    expect(text).toStartWith(configTemplate);
    expect([...parseConfig(text, file).config.providers.keys()]).toEqual(["openai"]);
  });
});

describe("removing a table", () => {
  test("removes its lines and those of the tables below it, and keeps every comment", () => {
    const text = `version = 1
# before
[providers.a] # header
kind = "x"
# inside
[providers.b]
kind = "y"
[providers.a.more]
z = """
[providers.b]
"""

[server]
port = 1
`;
    expect(removeTable(text, ["providers", "a"], file)).toBe(`version = 1
# before
# inside
[providers.b]
kind = "y"

[server]
port = 1
`);
  });

  test("finds it in every notation", () => {
    for (const text of [
      "providers.a.kind = 'x'\nproviders.a.base_url = 'y'\n",
      "[providers]\na = { kind = 'x' }\n",
      "[providers]\n'a'.kind = 'x'\n",
    ]) {
      expect(removeTable(`${text}b = 1\n`, ["providers", "a"], file)).toEndWith("b = 1\n");
      expect(removeTable(`${text}b = 1\n`, ["providers", "a"], file)).not.toContain("x");
    }
  });

  test("inside an inline table is refused", () => {
    const text = "providers = { a = { kind = 'x' }, b = { kind = 'y' } }\n";
    expect(refusal(() => removeTable(text, ["providers", "a"], file)).message).toContain("cannot be removed");
  });

  test("that does not exist changes nothing", () => {
    expect(removeTable(configTemplate, ["providers", "anthropic"], file)).toBe(configTemplate);
  });
});

test("adding and then removing a table restores the text", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
  const values = fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())), {
    minKeys: 1,
  });
  const texts = fc.constantFrom(
    "",
    "version = 1\n",
    "version = 1\n\n\n",
    configTemplate,
    configTemplate.replaceAll("\n", "\r\n"),
    "\uFEFFversion = 1\n[providers.zz_other]\nkind = 'x'\n# end\n",
  );
  fc.assert(
    fc.property(texts, name, values, (text, provider, entries) => {
      const path = ["providers", provider];
      expect(removeTable(appendTable(text, path, entries, file), path, file)).toBe(text);
    }),
    { numRuns: 200 },
  );
});
