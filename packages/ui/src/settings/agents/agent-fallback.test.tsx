/** The order of an agent's fallback models. */
import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeAgent, createFakeUi } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { AgentFallback, moveUp, findProblem } from "./agent-fallback.tsx";

const agent = (fallback?: string[]) =>
  createFakeAgent(1, "Main", { model: "a/one", ...(fallback === undefined ? {} : { fallback }) });
const draw = (fallback?: string[]): string =>
  renderToStaticMarkup(
    <UiProvider value={createFakeUi({})}>
      <AgentFallback agent={agent(fallback)} onChange={() => {}} />
    </UiProvider>,
  );

test("the models are listed in their order, and all but the first can move up", () => {
  const markup = draw(["b/two", "c/three"]);
  expect(markup.indexOf("1. b/two")).toBeLessThan(markup.indexOf("2. c/three"));
  expect(markup).toContain('aria-label="Move up c/three"');
  expect(markup).not.toContain('aria-label="Move up b/two"');
  expect(draw()).toContain("No fallback models");
});

test("at the maximum no further model can be added", () => {
  expect(draw(["b/1", "b/2", "b/3", "b/4"])).toContain("Add fallback model");
  expect(draw(["b/1", "b/2", "b/3", "b/4", "b/5"])).not.toContain("Add fallback model");
});

test("a model moves before the one above it", () => {
  expect(moveUp(["a/1", "a/2", "a/3"], 2)).toEqual(["a/1", "a/3", "a/2"]);
});

test("a model must be written as provider/model, and may be used once", () => {
  expect(findProblem("three", agent())).toContain("provider/model");
  expect([findProblem("a/one", agent()), findProblem("b/two", agent(["b/two"]))]).toEqual([
    "This agent already uses this model. Choose another one.",
    "This agent already uses this model. Choose another one.",
  ]);
  expect(findProblem("c/three", agent(["b/two"]))).toBeUndefined();
});
