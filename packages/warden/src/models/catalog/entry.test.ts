import { expect, test } from "bun:test";
import { parseConfig } from "../../kernel/config/read.ts";
import { findConfigWarnings } from "./entry.ts";

const KINDS = ["anthropic", "openai", "reliable"];
const remarks = (text: string) => findConfigWarnings(parseConfig(`version = 1\n${text}`, "hearth.toml"), KINDS);

test("an unknown kind is reported with its line and the nearest known kind", () => {
  expect(remarks('[providers.x]\nkind = "openaii"\nbase_url = "http://127.0.0.1:1/v1"')).toEqual([
    'providers.x.kind has an unknown provider kind: "openaii"; hearth.toml line 3. Did you mean "openai"?',
  ]);
  expect(remarks('[providers.x]\nkind = "pigeon"')).toEqual([
    'providers.x.kind has an unknown provider kind: "pigeon"; hearth.toml line 3. Available: anthropic, openai, reliable.',
  ]);
});

test("a model without a provider is reported; known vendors and configured providers are accepted", () => {
  const config = '[providers.home]\nkind = "openai"\nbase_url = "http://127.0.0.1:1/v1"\n';
  const agents = ["home/a", "anthropic/b", "offline/c"].map((model, at) => `[agents.a${at}]\nmodel = "${model}"`);
  expect(remarks(`${config}${agents.join("\n")}`)).toEqual([]);
  expect(remarks(`${config}[agents.main]\nmodel = "hom/a"`)).toEqual([
    'agents.main.model names an unknown provider: "hom"; hearth.toml line 6. Did you mean "home"?',
  ]);
});
