import { expect, test } from "bun:test";
import type { MediaInfo, MediaKind } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { chooseKind, type MediaDraft, NEW_KEY, NO_KEY, planOf, toDraft } from "./media-draft.ts";
import { MediaForm } from "./media-form.tsx";
import { MediaResult } from "./media-result.tsx";
import { MediaRow } from "./media-section.tsx";

const openai: MediaKind = {
  kind: "openai",
  takes: ["baseUrl", "apiKey", "model", "voice"],
  baseUrl: "https://api.openai.com/v1",
  model: "gpt-4o-mini-tts",
  needsKey: true,
};
const program: MediaKind = { kind: "program", takes: ["program", "model", "voice"], needsKey: false };
const off: MediaInfo = { part: "speak", state: "off", detail: "no [voice]", kinds: [openai, program] };
const on: MediaInfo = {
  ...off,
  state: "ready",
  detail: "openai gpt-4o-mini-tts, $17 a million characters",
  settings: { kind: "openai", apiKey: "file:keys/media.speak", voice: "coral", price: 12.5 },
};

const draw = (node: React.ReactNode): string =>
  renderToStaticMarkup(<UiProvider value={createFakeUi()}>{node}</UiProvider>);
const row = (info: MediaInfo): string => draw(<MediaRow info={info} secrets={[]} onChange={() => {}} />);
const form = (info: MediaInfo, secrets: readonly string[] = []): string =>
  draw(<MediaForm info={info} secrets={secrets} onSaved={() => {}} />);

test("a part that is off can only be set up; one that is on can be tested, changed and turned off", () => {
  expect(row(off)).toContain("Off. Messages are not read aloud.");
  expect(row(off)).toContain("Set up Speech");
  for (const absent of ["Test Speech", "Change Speech", "Turn off Speech"]) expect(row(off)).not.toContain(absent);
  for (const present of ["Test Speech", "Change Speech", "Turn off Speech", "a million characters"])
    expect(row(on)).toContain(present);
});

test("a provider that cannot be used says what to do, without shell commands", () => {
  const markup = row({ ...on, state: "missing", detail: "env:KEY is not set.", fix: "Set KEY. Run hearth up again." });
  expect(markup).toContain("Set KEY.");
  expect(markup).not.toContain("hearth up");
});

test("the form shows the settings in the file, the fields of their kind, and the sources of a key", () => {
  const markup = form(on, ["OPENAI"]);
  for (const present of ['value="coral"', 'value="12.5"', "Key stored by Hearth", "Secret OPENAI", "New key", "No key"])
    expect(markup).toContain(present);
  expect(markup).toContain("Default: https://api.openai.com/v1");
  for (const absent of ["Program (optional)", "Language (optional)"]) expect(markup).not.toContain(absent);
  // A fake of the file stays as it is.
  expect(form({ ...on, settings: { kind: "fake" } })).toContain("Fake, for demonstrations");
});

test("a saved form without changes is what the file has", () => {
  expect(planOf(toDraft(on), openai.takes, "")).toEqual({ kind: "set", settings: on.settings! });
});

test("the form of a part that is off begins with the first kind, and a kind brings its own fields", () => {
  const draft = toDraft(off);
  expect(draft).toEqual({ kind: "openai", keySource: NEW_KEY, texts: {}, price: "" });
  const filled: MediaDraft = { ...draft, texts: { voice: " en ", model: "" }, price: "1,5" };
  expect(planOf(filled, openai.takes, " sk-1 ")).toEqual({
    kind: "set",
    settings: { kind: "openai", voice: "en", price: 1.5, key: "sk-1" },
  });
  expect(chooseKind(filled, program)).toEqual({ kind: "program", keySource: NO_KEY, texts: {}, price: "" });
  // A field that the kind does not take is not sent, and neither is a key.
  expect(planOf({ ...filled, kind: "program", texts: { baseUrl: "x y" } }, program.takes, "sk-1")).toEqual({
    kind: "set",
    settings: { kind: "program", price: 1.5 },
  });
  expect(planOf({ ...filled, keySource: "secret:OPENAI" }, openai.takes, "")).toMatchObject({
    settings: { apiKey: "secret:OPENAI" },
  });
});

test.each([
  ["key", { keySource: NEW_KEY }, ""],
  ["key", { keySource: NEW_KEY }, "sk 1"],
  ["price", { price: "cheap" }, "sk-1"],
  ["baseUrl", { texts: { baseUrl: "ftp://far.test" } }, "sk-1"],
] as const)("a wrong %s is named at its field", (field, more, key) => {
  expect(planOf({ ...toDraft(off), ...more }, openai.takes, key)).toMatchObject({
    kind: "incomplete",
    problem: { field },
  });
});

test("the result of a test is a picture, or the reason in plain words", () => {
  const result = { type: "image/png", data: "iVBORw0KGgo=" };
  const picture = draw(<MediaResult title="Pictures" test={{ ok: true, detail: "Made.", durationMs: 1, result }} />);
  expect(picture).toContain('src="data:image/png;base64,iVBORw0KGgo="');
  // A type that a browser could run is not shown as a picture.
  const svg = draw(
    <MediaResult
      title="Pictures"
      test={{ ok: true, detail: "", durationMs: 1, result: { ...result, type: "image/svg+xml" } }}
    />,
  );
  expect(svg).not.toContain("<img");
  const failed = draw(<MediaResult title="Speech" test={{ ok: false, detail: "No key was sent.", durationMs: 1 }} />);
  expect(failed).toContain("The test failed.");
  expect(failed).toContain("No key was sent.");
});
