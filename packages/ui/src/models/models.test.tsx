import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";
import { ModelChooser } from "./model-chooser.tsx";
import type { ModelDraft } from "./model-draft.ts";
import type { OffersQuery } from "./offers.ts";
import { isNew, type Offers } from "./sources.ts";
import { TestResult } from "./test-result.tsx";
import { ZoneField } from "./zone-field.tsx";

const offers: Offers = {
  providers: [
    {
      name: "anthropic",
      kind: "anthropic",
      source: "environment",
      ready: true,
      detail: "key from env:ANTHROPIC_API_KEY",
      suggestedModel: "claude-sonnet-5-5",
    },
  ],
  foundServers: [{ name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", models: ["qwen3", "llama"] }],
  knownProviders: [
    { name: "openai", kind: "openai", keyPage: "https://platform.openai.com/api-keys" },
    { name: "groq", kind: "openai", keyPage: "javascript:alert(1)" },
  ],
};
const answered: OffersQuery = { offers, isLoading: false, error: undefined, reload: () => {} };

const Chooser = ({
  draft,
  asked: offersQuery = answered,
  more = {},
}: {
  readonly draft: ModelDraft;
  readonly asked?: OffersQuery;
  readonly more?: Partial<ModelChoice>;
}) => {
  const choice = useModelChoice({ offersQuery, draft, onDraft: () => {} });
  return <ModelChooser choice={{ ...choice, ...more }} label="Model source" />;
};
const draw = (...[props]: readonly Parameters<typeof Chooser>[0][]): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <Chooser {...(props ?? { draft: {} })} />
    </UiProvider>,
  );
const chosenIn = (markup: string): string | undefined =>
  /<input[^>]*checked=""[^>]*value="([^"]+)"|<input[^>]*value="([^"]+)"[^>]*checked=""/
    .exec(markup)
    ?.slice(1)
    .find(Boolean);

test("a ready source is preselected, with its suggested model and a test", () => {
  const markup = draw({ draft: {} });
  expect(chosenIn(markup)).toBe("provider:anthropic");
  expect(markup).toContain("Key found in ANTHROPIC_API_KEY");
  expect(markup).toContain('value="claude-sonnet-5-5"');
  expect(markup).toContain("Test");
  expect(markup).not.toContain('type="password"');
});

test("while sources load nothing is selected, but all options are available", () => {
  const markup = draw({ draft: {}, asked: { ...answered, isLoading: true } });
  expect(chosenIn(markup)).toBeUndefined();
  expect(markup).toMatch(/role="status"[^]*Searching the server for keys and models/);
  expect(markup).toContain("No language model");
});

test("failed discovery shows an error beside the found sources", () => {
  const error = new HearthError("house.unreachable", "Hearth does not answer.");
  const markup = draw({ draft: {}, asked: { ...answered, error } });
  expect(markup).toContain("Hearth does not answer.");
  expect(markup).toContain("Try again");
  expect(markup).toContain("Ollama");
});

test("a discovered server lists its models", () => {
  const markup = draw({ draft: { source: "found:ollama" } });
  expect(markup).toContain("2 suggestions");
  expect(markup).toContain('<option value="llama">');
});

test("the key is a password field without autocomplete, beside a link that shows its host", () => {
  const markup = draw({ draft: { source: "key", vendor: "openai" } });
  expect(markup).toMatch(
    /<input[^>]*type="password"[^>]*autoComplete="off"|<input[^>]*autoComplete="off"[^>]*type="password"/i,
  );
  expect(markup).toMatch(
    /<a[^>]*href="https:\/\/platform\.openai\.com\/api-keys"[^>]*>Create a key at platform\.openai\.com/,
  );
  expect(draw({ draft: { source: "key", vendor: "groq" } })).not.toContain("javascript:");
});

test("an OpenAI-compatible endpoint asks for its address and validates it", () => {
  const problem = { field: "address", text: "Enter an address." } as const;
  const markup = draw({ draft: { source: "server", address: "http://127.0.0.1:8080/v1" }, more: { problem } });
  expect(markup).toContain('value="http://127.0.0.1:8080/v1"');
  expect(markup).toMatch(/aria-invalid="true"[^]*Enter an address/);
});

test("a missing input shows an error in its place", () => {
  const draft = { source: "key" };
  for (const field of ["source", "key", "model"] as const)
    expect(draw({ draft, more: { problem: { field, text: "Missing." } } })).toMatch(/role="alert"[^]*Missing\./);
});

test("the offline helper needs no further input", () => {
  const markup = draw({ draft: { source: "offline" } });
  expect(chosenIn(markup)).toBe("offline");
  expect(markup).not.toContain("Test");
});

test("a page may restrict the sources", () => {
  const Some = () => {
    const choice = useModelChoice({ offersQuery: answered, draft: {}, onDraft: () => {} });
    return <ModelChooser choice={choice} label="Add" filter={isNew} />;
  };
  const markup = renderToStaticMarkup(
    <UiProvider value={createFakeUi()}>
      <Some />
    </UiProvider>,
  );
  expect(markup).not.toContain("ANTHROPIC_API_KEY");
  expect(chosenIn(markup)).toBeUndefined();
  expect(markup).toContain("OpenAI-compatible endpoint");
});

test("test outcomes are announced", () => {
  const ok = renderToStaticMarkup(
    <TestResult outcome={{ kind: "called", test: { ok: true, detail: "", durationMs: 812 } }} />,
  );
  expect(ok).toMatch(/role="status"[^]*The model answered in 0\.8 s\./);
  const wrong = renderToStaticMarkup(
    <TestResult outcome={{ kind: "called", test: { ok: false, detail: "Check the key.", durationMs: 1 } }} />,
  );
  expect(wrong).toMatch(/role="alert"[^]*Check the key\./);
  const error = new HearthError("config.invalid", "The file cannot be written.", { hint: "Free some space." });
  expect(renderToStaticMarkup(<TestResult outcome={{ kind: "failed", error }} />)).toContain("Free some space.");
  expect(renderToStaticMarkup(<TestResult outcome={undefined} />)).toBe("");
});

test("a time zone field has suggestions", () => {
  const markup = renderToStaticMarkup(<ZoneField label="Zone" value="UTC" error="No." onChange={() => {}} />);
  const list = /list="([^"]+)"/.exec(markup)?.[1];
  expect(markup).toContain(`<datalist id="${list}">`);
  expect(markup).toContain('<option value="Europe/Berlin">');
  expect(markup.match(/value="UTC"/g)).toHaveLength(2);
  expect(markup).toContain("No.");
});
