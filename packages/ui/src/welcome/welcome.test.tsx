import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { createFakeUi, type FakeUiOptions, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { changesOf } from "./agent-step.tsx";
import { initialProgress, type Progress } from "./progress.ts";
import { StepFrame } from "./step-frame.tsx";
import { WelcomePage } from "./welcome-page.tsx";

const draw = (progress: Partial<Progress> = {}, options: FakeUiOptions = {}): string => {
  const storage = createMemoryStorage();
  storage.set("welcome", JSON.stringify({ ...initialProgress, ...progress }));
  return renderToStaticMarkup(
    <UiProvider value={createFakeUi({ storage, ...options })}>
      <Router ssrPath="/welcome">
        <WelcomePage />
      </Router>
    </UiProvider>,
  );
};
const valueOf = (markup: string, label: string): string | undefined => {
  const id = new RegExp(`<label for="([^"]+)">${label}`).exec(markup)?.[1];
  return new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(markup)?.[0].match(/value="([^"]*)"/)?.[1];
};
const headings = (markup: string): readonly string[] =>
  [...markup.matchAll(/<h1[^>]*>([^<]*)/g)].map(([, text]) => text ?? "");

test("the first step shows a known name and the browser's time zone", () => {
  const markup = draw();
  expect(headings(markup)).toEqual(["Your profile"]);
  expect(markup).toContain("1 of 3");
  expect(valueOf(markup, "Your name")).toBe("Ada");
  expect(valueOf(markup, "Your time zone")).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(markup).toContain("change everything later in Settings");
});

test("the default owner name is not shown as the user's name", () => {
  const owner = { ...fakeOwner, content: { ...fakeOwner.content, name: "Owner", timezone: "Asia/Tokyo" } };
  const markup = draw({}, { houseSnapshot: { agents: new Map([[owner.id, owner]]) } });
  expect(valueOf(markup, "Your name")).toBe("");
  expect(valueOf(markup, "Your time zone")).toBe("Asia/Tokyo");
});

test("text typed before a reload is restored on the same step", () => {
  expect(valueOf(draw({ you: { name: "Grace" } }), "Your name")).toBe("Grace");
  const second = draw({ step: "agent", agent: { prompt: "Dry humour." } });
  expect(headings(second)).toEqual(["Your agent"]);
  expect(valueOf(second, "Agent name")).toBe("Main");
  expect(second).toContain(">Dry humour.</textarea>");
});

test("every step can be skipped, and all of them; the first has no back button", () => {
  for (const step of ["you", "agent", "model"] as const) {
    const markup = draw({ step });
    expect(markup).toContain(">Skip</button>");
    expect(markup).toContain(">Skip all</button>");
    expect(markup.includes("Back</button>")).toBe(step !== "you");
    expect(markup).toContain(step === "model" ? ">Finish</button>" : ">Continue</button>");
  }
});

test("the third step shows the agent's model, and can be completed while other sources load", () => {
  const markup = draw({ step: "model" });
  expect(headings(markup)).toEqual(["Model"]);
  expect(markup).toContain("The language model of Main");
  expect(markup).toMatch(/<input[^>]*checked=""[^>]*value="offline"|<input[^>]*value="offline"[^>]*checked=""/);
  expect(markup).toContain("Searching the server for keys and models");
});

test("an unknown house shows a loading state", () => {
  const markup = draw({}, { houseSnapshot: { me: undefined, house: undefined } });
  expect(markup).toContain("Loading");
  expect(headings(markup)).toEqual([]);
});

test("an error is shown in the step, and the button may change its label", () => {
  const nothing = (): void => {};
  const markup = renderToStaticMarkup(
    <StepFrame
      step="model"
      title="Model"
      text=""
      isBusy={false}
      isLeaving={false}
      isArrival={false}
      error={new HearthError("house.unreachable", "Hearth does not answer.", { hint: "Start it." })}
      submit="Finish anyway"
      onSubmit={nothing}
      onBack={nothing}
      onSkip={nothing}
      onDone={nothing}
    >
      fields
    </StepFrame>,
  );
  expect(markup).toContain("Start it.");
  expect(markup).toContain(">Finish anyway</button>");
});

test("only changed fields of an agent are sent", () => {
  const agent = { ...fakeMain, content: { ...fakeMain.content, prompt: "Be kind.\n" } };
  expect(changesOf(agent, { name: "Main", prompt: "Be kind." })).toEqual({});
  expect(changesOf(agent, { name: "Ember", prompt: "Be quick." })).toEqual({ name: "Ember", prompt: "Be quick." });
  expect(changesOf(agent, { name: "Main", prompt: "" })).toEqual({ prompt: null });
  expect(changesOf(fakeMain, { name: "Main", prompt: "" })).toEqual({});
});
