import { expect, test } from "bun:test";
import { ApprovalRuleId, HouseId } from "@hearth/protocol";
import { createFakeAgent, createFakeMe, createFakeUi, fakeHouse, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { createFakeLive } from "../rooms/fake-room.ts";
import { renderPart, renderUi, textOf } from "../rooms/fake-view.tsx";
import { ApprovalsPage, CardList, tellOpen } from "./approvals-page.tsx";
import { Exact } from "./exact.tsx";
import { createFakeApproval } from "./fake-approval.ts";
import { tellOutcome, tellWish } from "./outcome-words.ts";
import { RuleList } from "./rules.tsx";
import { Waiting, Word } from "./waiting.tsx";

const draw = (...entries: readonly ReturnType<typeof createFakeApproval>[]): string =>
  renderUi(<CardList entries={entries} wanted={undefined} onDecided={() => {}} onLeave={() => {}} />);
const nameOf = (): string => "Bea";

test("a card says who wants what, where, why, exactly what would run, and what each yes lets pass", () => {
  const offers = [
    { scope: "once", text: "This call, once." },
    { scope: "session", text: "Any ls in this room." },
    { scope: "rule", text: "Any ls, anywhere." },
  ] as const;
  const text = textOf(draw(createFakeApproval(1, { offers: [...offers] })));
  expect(text).toContain("Main wants to use shell In Main");
  expect(text).toMatch(/It asks before it does this\. shell command: "ls"/);
  expect(text).toMatch(
    /Allow once a This call, once\. Allow for this session Any ls in this room\. Allow as a rule Any ls, anywhere\./,
  );
  expect(text).toMatch(/Why not \(optional\).*Deny d$/);
});

test("only what is offered has a button, and only the one where one is has keys", () => {
  const markup = draw(createFakeApproval(1), createFakeApproval(2));
  expect(markup).not.toContain("as a rule");
  expect(markup.match(/aria-keyshortcuts="a"/g)).toHaveLength(1);
  expect(markup.match(/aria-current="true"/g)).toHaveLength(1);
});

test("where nobody asks it says what would stand here, and no keys", () => {
  expect(textOf(draw())).toBe(
    "No agent waits for your word. What an agent may not do unasked is asked here, and in the room where it works.",
  );
});

test("what was decided has its outcome in place of its buttons", () => {
  const markup = draw(createFakeApproval(1, { state: "denied", by: fakeOwner.id, reason: "not now" }));
  expect(textOf(markup)).toContain("You denied this. not now");
  expect(markup).not.toContain("<button");
});

test("the exact display is text, all of it, and never markup", () => {
  const display = `shell\n  command: "<img src=x onerror=alert(1)> ${"y".repeat(50_000)}"`;
  const markup = renderUi(<Exact approval={createFakeApproval(1, { display })} />);
  expect(markup).not.toContain("<img");
  expect(markup).toContain("y".repeat(50_000));
});

test("who decides nowhere is told whom agents ask", () => {
  const ui = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(textOf(renderUi(<ApprovalsPage />, ui))).toContain("Agents ask the people who decide in their house.");
});

test("what came of it is told with who said it and why", () => {
  const tell = (more: Partial<ReturnType<typeof createFakeApproval>>) =>
    tellOutcome(createFakeApproval(1, { by: fakeMain.id, ...more }), fakeOwner.id, nameOf);
  expect(tell({})).toBeUndefined();
  expect(tell({ state: "allowed" })).toBe("Bea allowed this, once.");
  expect(tell({ state: "allowed", scope: "session" })).toBe("Bea allowed this until a new session begins.");
  expect(tell({ state: "allowed", scope: "rule", by: fakeOwner.id })).toBe("You allowed this from now on, by a rule.");
  expect(tell({ state: "used" })).toBe("Bea allowed this, once. It has begun.");
  expect(tell({ state: "denied", reason: "no\u202e" })).toBe("Bea denied this. no‹U+202E›");
  expect(tell({ state: "expired" })).toBe("Nobody answered in time, and so it is denied.");
  expect(tell({ state: "expired", reason: "It was stopped." })).toBe("This is over, and was not done. It was stopped.");
  expect([0, 1, 2].map(tellOpen)[1]).toBe("One call waits for your word. Until then it does not run.");
  expect(tellWish({ what: { kind: "model", name: "p/m", input: "", hash: "" } }, "Bea")).toBe("Bea wants to ask p/m");
});

test("a rule is shown in its own words, with who said it and the way to take it back", () => {
  const rule = {
    ...{ id: ApprovalRuleId.parse(`rule_${"0".repeat(26)}`), house: fakeHouse.id, agent: fakeMain.id, tool: "shell" },
    ...{ bound: "{}", text: "@main may call shell, unasked.", by: fakeOwner.id, at: 0 },
  };
  const text = textOf(renderUi(<RuleList rules={[rule]} onChanged={() => {}} />));
  expect(text).toMatch(/@main may call shell, unasked\. You said so .* Take back/);
  expect(textOf(renderUi(<RuleList rules={[]} onChanged={() => {}} />))).toContain("There are none");
});

test("in its room an agent that waits says for what, to who may give the word, and to others that it waits", () => {
  const word = renderPart(<Word approval={createFakeApproval(1)} name="Main" onDecided={() => {}} />);
  expect(textOf(word)).toBe(
    'Main waits for your word: It asks before it does this. shell command: "ls" Allow once Deny Other answers',
  );
  expect(word).toContain(`href="/ui/approvals/${createFakeApproval(1).id}"`);
  const others = "waits for the word of somebody who decides in its house.";
  const waiting = <Waiting activation={createFakeLive({ state: "waiting" })} name="Main" />;
  expect(textOf(renderPart(waiting))).not.toContain(others);
  const reader = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(textOf(renderPart(waiting, {}, reader))).toContain(others);
  const elsewhere = { ...createFakeAgent(2, "Main"), house: HouseId.parse(`house_${"9".repeat(26)}`) };
  const stranger = createFakeUi({ houseSnapshot: { agents: new Map([[elsewhere.id, elsewhere]]) } });
  expect(textOf(renderPart(waiting, {}, stranger))).toContain(others);
});
