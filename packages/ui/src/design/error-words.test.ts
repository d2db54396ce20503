import { describe, expect, test } from "bun:test";
import { type ErrorBody, type ErrorCode, errorStatus, HearthError } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { createElement } from "react";
import { Router } from "wouter";
import { describeError, plainWords, describeRetry } from "./error-words.ts";
import { ErrorNotice } from "./notice.tsx";

const codes = Object.keys(errorStatus) as ErrorCode[];
/** A shell command, a backtick or a local address. */
const FORBIDDEN = /`|\bhearth [a-z]|(?:^|\s)--[a-z]|127\.0\.0\.1|localhost|\[::1\]/;

/** Every text in the sources that contains a command. */
const textsWithCommands = async (): Promise<readonly string[]> => {
  const texts = new Set<string>();
  const root = new URL("../../../", import.meta.url).pathname;
  for await (const path of new Bun.Glob("{warden,protocol,client}/src/**/*.ts").scan(root)) {
    if (path.includes(".test.") || path.includes(".conformance.")) continue;
    const source = await Bun.file(root + path).text();
    for (const [text] of source.matchAll(/"[^"\n]*"|`[^`]*`/g))
      if (/\bhearth [a-z]|localhost|127\.0\.0\.1/.test(text)) texts.add(text.slice(1, -1));
  }
  return [...texts];
};

describe("an error in the browser", () => {
  test.each(codes)("%s shows no command, no backtick and no local address", (code) => {
    const error: ErrorBody = {
      code,
      message: "127.0.0.1:11434 cannot be reached: `x` at http://localhost:11434/v1 failed.",
      hint: "Set `base_url`. Run: hearth provider add NAME --key KEY\nOr open http://[::1]:8080/v1.",
    };
    for (const provider of [undefined, "anthropic"]) {
      const remedy = { code: "check-provider", ...(provider === undefined ? {} : { provider }) } as const;
      for (const body of [error, { ...error, remedy }]) {
        const { title, text = "" } = describeError(body);
        expect(title).not.toBe("");
        expect(`${title} ${text}`).not.toMatch(FORBIDDEN);
        const shown = new HearthError(body.code, body.message, { hint: error.hint ?? "" });
        const notice = createElement(ErrorNotice, { error: shown });
        const markup = renderToStaticMarkup(createElement(Router, { ssrPath: "/" }, notice));
        expect(markup).not.toMatch(FORBIDDEN);
      }
    }
  });

  test("shows no command of any text in the sources", async () => {
    const texts = await textsWithCommands();
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) expect(plainWords(text) ?? "").not.toMatch(FORBIDDEN);
  });

  test("names the provider, keeps its message, and links to the fix", () => {
    const remedy = { code: "check-provider", provider: "anthropic" } as const;
    const message = "api.anthropic.com does not accept the key (401): invalid x-api-key";
    expect(describeError({ code: "provider.auth", message, hint: "Check the key.", remedy })).toEqual({
      title: "Anthropic does not accept the key.",
      text: "Invalid x-api-key. Check the key, or enter a new one.",
      fix: { path: "/settings/models", label: "Check provider" },
    });
    const local = "127.0.0.1:11434 cannot be reached: nothing listens there.";
    expect(
      describeError({ code: "provider.unreachable", message: local, remedy: { ...remedy, provider: "ollama" } }),
    ).toMatchObject({
      title: "Ollama cannot be reached.",
      text: "Nothing listens there. Check that it runs, and the address in its settings.",
    });
  });

  test("links a model or budget error to its agent", () => {
    const failed = { message: "x", hint: "hearth budget" };
    const pathOf = (code: ErrorCode) => describeError({ ...failed, code }, "/settings/agents/main").fix?.path;
    expect(pathOf("provider.overloaded")).toBe("/settings/agents/main");
    expect(pathOf("budget.spent")).toBe("/settings/agents/main/budget");
    expect(describeError({ ...failed, code: "tool.failed" }).fix).toBeUndefined();
  });

  test("keeps a plain message and hint unchanged", () => {
    expect(describeError({ code: "tool.failed", message: "The disk is full.", hint: "Make room." })).toEqual({
      title: "The disk is full.",
      text: "Make room.",
      fix: undefined,
    });
  });
});

test.each<[ErrorCode, string]>([
  ["provider.rate-limited", "Anthropic is busy."],
  ["provider.overloaded", "Anthropic is busy."],
  ["provider.unreachable", "Anthropic cannot be reached."],
  ["provider.timeout", "Anthropic did not answer in time."],
  ["provider.failed", "Anthropic reported an error."],
])("a retry after %s shows the reason", (code, words) => {
  const remedy = { code: "choose-model", provider: "anthropic" } as const;
  expect(describeRetry({ code, message: "x", remedy })).toBe(words);
});
