import { describe, expect, test } from "bun:test";
import { type HearthError, isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { appendTable, putTable, removeTable, setValue, type TomlValue } from "./edit.ts";
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

describe("putting a table", () => {
  test("changes the values in their place, adds and removes the others, and keeps comments", () => {
    const text = '[a] # header\nkind = "x" # kind\n# between\nold = 1\n\n[b]\nkind = "y"\n';
    expect(putTable(text, ["a"], { kind: "z", fresh: true }, file)).toBe(
      '[a] # header\nkind = "z" # kind\nfresh = true\n# between\n\n[b]\nkind = "y"\n',
    );
  });

  test("that is missing appends it, and the same values again change nothing", () => {
    const once = putTable("version = 1\n", ["a", "b"], { kind: "x" }, file);
    expect(once).toBe('version = 1\n\n[a.b]\nkind = "x"\n');
    expect(putTable(once, ["a", "b"], { kind: "x" }, file)).toBe(once);
  });

  test("inside a table in braces is refused", () => {
    expect(refusal(() => putTable("a = { b = { c = 1 } }\n", ["a", "b"], { c: 2 }, file)).hint).toContain("by hand");
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

describe("setting a value", () => {
  const text = `version = 1
# before
[cells]
max_open = 3 # mine
# inside

[budget]
day = 1
`;
  const set = (key: string, value: TomlValue | undefined, of = text, table = "cells"): string =>
    setValue(of, [[table], key], value, file);

  test("replaces it in its line, and keeps the comment", () => {
    expect(set("max_open", 12)).toBe(text.replace("max_open = 3 # mine", "max_open = 12 # mine"));
  });

  test("adds a key after the last one of its table", () => {
    expect(set("idle_seconds", 60)).toBe(text.replace("# mine\n", "# mine\nidle_seconds = 60\n"));
  });

  test("adds the table if it is missing", () => {
    expect(set("at", "x", text, "log")).toBe(`${text}\n[log]\nat = "x"\n`);
  });

  test("of undefined removes the line, and of a missing key changes nothing", () => {
    expect(set("max_open", undefined)).toBe(text.replace("max_open = 3 # mine\n", ""));
    expect(set("other", undefined)).toBe(text);
  });

  test("of a dotted key replaces it in its place, and the file's own line end is used", () => {
    expect(set("max_open", 4, "cells.max_open = 3\r\n")).toBe("cells.max_open = 4\r\n");
    expect(set("b", true, "[cells]\r\na = 1", "cells")).toBe("[cells]\r\na = 1\r\nb = true\r\n");
  });

  test("in a table in braces is refused, because the table is one value", () => {
    expect(refusal(() => set("max_open", 4, "cells = { max_open = 3 }\n")).hint).toContain("by hand");
  });

  test("of any kind, in any text, changes nothing else", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
    fc.assert(
      fc.property(value, value, fc.constantFrom("max_open", "b c", 'q"'), (first, second, key) => {
        const once = setValue(text, [["cells"], key], first, file);
        const twice = setValue(once, [["cells"], key], second, file);
        expect(setValue(twice, [["cells"], key], undefined, file)).toBe(
          key === "max_open" ? text.replace("max_open = 3 # mine\n", "") : text,
        );
      }),
    );
  });
});
