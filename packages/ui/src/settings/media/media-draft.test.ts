/** The form for a provider of speech or pictures: the settings that it sends, and the inputs that it refuses. */
import { describe, expect, test } from "bun:test";
import type { MediaField, MediaKind } from "@hearth/protocol";
import { chooseKind, type MediaDraft, NEW_KEY, NO_KEY, planOf, toDraft } from "./media-draft.ts";
import * as texts from "./text.ts";

const ALL: readonly MediaField[] = ["apiKey", "baseUrl", "model", "language", "voice", "program"];
const kindOf = (kind: string, needsKey: boolean): MediaKind => ({ kind, needsKey }) as MediaKind;
const draftOf = (more: Partial<MediaDraft> = {}): MediaDraft => ({
  ...{ kind: "openai", keySource: NO_KEY, texts: {}, price: "" },
  ...more,
});
const settingsOf = (draft: MediaDraft, takes = ALL, key = ""): object => {
  const plan = planOf(draft, takes, key);
  if (plan.kind === "incomplete") throw new Error(plan.problem.text);
  return plan.settings;
};
const problemOf = (draft: MediaDraft, takes = ALL, key = ""): unknown => {
  const plan = planOf(draft, takes, key);
  return plan.kind === "incomplete" ? [plan.problem.field, plan.problem.text] : undefined;
};

describe("the form begins", () => {
  test("with the settings of the file", () => {
    const settings = { kind: "openai", apiKey: "secret:OPENAI", model: "m", voice: "v", price: 0 } as const;
    expect(toDraft({ settings, kinds: [kindOf("other", true)] } as never)).toEqual({
      ...{ kind: "openai", keySource: "secret:OPENAI", texts: { model: "m", voice: "v" }, price: "0" },
    });
    const bare = { kind: "program", program: "say", language: "en", baseUrl: "https://a.example/" } as const;
    expect(toDraft({ settings: bare, kinds: [] } as never)).toEqual({
      ...{ kind: "program", keySource: NO_KEY, price: "" },
      texts: { program: "say", language: "en", baseUrl: "https://a.example/" },
    });
  });

  test("with the first kind if it is off, and empty if there is no kind", () => {
    expect(toDraft({ kinds: [kindOf("openai", true), kindOf("program", false)] } as never)).toEqual(
      draftOf({ keySource: NEW_KEY }),
    );
    expect(toDraft({ kinds: [] } as never)).toEqual(draftOf({ kind: "" }));
  });

  test("empty with another kind, which needs a key or not", () => {
    const filled = draftOf({ keySource: "env:KEY", texts: { model: "m" }, price: "1" });
    expect(chooseKind(filled, kindOf("program", false))).toEqual(draftOf({ kind: "program" }));
    expect(chooseKind(filled, kindOf("deepgram", true))).toEqual(draftOf({ kind: "deepgram", keySource: NEW_KEY }));
    expect(chooseKind(filled, undefined)).toEqual(filled);
  });
});

describe("the form sends", () => {
  test("only fields that the kind takes and that contain text", () => {
    const draft = draftOf({ texts: { model: " m ", voice: "  ", program: "say" }, keySource: "secret:KEY" });
    expect(settingsOf(draft, ["model", "voice"])).toEqual({ kind: "openai", model: "m" });
    expect(settingsOf(draft)).toEqual({ kind: "openai", model: "m", program: "say", apiKey: "secret:KEY" });
    expect(settingsOf(draftOf())).toEqual({ kind: "openai" });
  });

  test("a new key only if one is chosen", () => {
    const fresh = draftOf({ keySource: NEW_KEY });
    expect(settingsOf(fresh, ALL, " sk-1 ")).toEqual({ kind: "openai", key: "sk-1" });
    expect(settingsOf(fresh, ["model"], "")).toEqual({ kind: "openai" });
    expect(settingsOf(draftOf(), ALL, "sk-1")).toEqual({ kind: "openai" });
    expect(settingsOf(draftOf({ keySource: "env:KEY" }), ALL, "sk-1")).toEqual({ kind: "openai", apiKey: "env:KEY" });
  });

  test.each([
    ["", undefined],
    ["0", 0],
    ["0,006", 0.006],
    [" 12.5 ", 12.5],
    ["9999", 9999],
  ])("the price %j as %p", (price, sent) => {
    expect(settingsOf(draftOf({ price }))).toEqual({ kind: "openai", ...(sent === undefined ? {} : { price: sent }) });
  });

  test("a complete address for a typed one", () => {
    const { baseUrl } = settingsOf(draftOf({ texts: { baseUrl: " https://a.example/v1 " } })) as { baseUrl: string };
    expect(baseUrl).toStartWith("https://a.example/v1");
  });
});

test.each([
  [{ keySource: NEW_KEY }, "", ["key", texts.enterAKey]],
  [{ keySource: NEW_KEY }, " ", ["key", texts.enterAKey]],
  [{ keySource: NEW_KEY }, "two words", ["key", texts.invalidKey]],
  [{ keySource: NEW_KEY }, "x".repeat(501), ["key", texts.invalidKey]],
  [{ keySource: NEW_KEY }, "x".repeat(500), undefined],
  [{ price: "-1" }, "", ["price", texts.invalidPrice]],
  [{ price: "10000" }, "", ["price", texts.invalidPrice]],
  [{ price: "1." }, "", ["price", texts.invalidPrice]],
  [{ price: "cheap" }, "", ["price", texts.invalidPrice]],
  [{ texts: { baseUrl: "ftp://a.example" } }, "", ["baseUrl", texts.invalidAddress]],
] as const)("the input %j with the key %j has the problem %j", (more, key, problem) => {
  expect(problemOf(draftOf(more), ALL, key)).toEqual(problem);
});
