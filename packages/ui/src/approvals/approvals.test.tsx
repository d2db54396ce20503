import { expect, test } from "bun:test";
import { ApprovalRuleId, HouseId, type Proposal } from "@hearth/protocol";
import { createFakeAgent, createFakeMe, createFakeUi, fakeHouse, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { createFakeLive } from "../rooms/fake-room.ts";
import { renderPart, renderUi, textOf } from "../rooms/fake-view.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { CardList, describeOpenApprovals, InboxPage } from "../inbox/inbox-page.tsx";
import { Call } from "./call.tsx";
import { createFakeApproval } from "./fake-approval.ts";
import { listDecidedItems, filterItems, timeOf } from "../inbox/inbox-items.ts";
import { describeOutcome, describeRequestedCall } from "./outcome-words.ts";
import { RuleList } from "./rules.tsx";
import { Waiting } from "./waiting.tsx";

const draw = (...entries: readonly ReturnType<typeof createFakeApproval>[]): string =>
  renderUi(<CardList entries={entries} wantedId={undefined} onDecided={() => {}} onLeave={() => {}} />);
const nameOf = (): string => "Bea";

test("a card shows the agent, the room, the command, its risk, the exact call and the effect of each answer", () => {
  const offers = [
    { scope: "once", text: "This call, once." },
    { scope: "session", text: "Any ls in this room." },
    { scope: "rule", text: "Any ls, anywhere." },
  ] as const;
  const text = textOf(draw(createFakeApproval(1, { offers: [...offers] })));
  expect(text).toContain("Main wants to run a command In Main");
  expect(text).toMatch(
    / ls Risk Reads private data .* Sends data out of the house Why It asks before it does this\. Exact call shell command: "ls"/,
  );
  expect(text).toMatch(
    /Allow once a Allow in this chat Always allow This chat Any ls in this room\. Always Any ls, anywhere\./,
  );
  expect(text).toMatch(/Reason \(optional\).*Deny d$/);
});

test("a card shows a button for each offered answer; only the selected card has key hints", () => {
  const markup = draw(createFakeApproval(1), createFakeApproval(2));
  expect(markup).not.toContain("Always allow");
  expect(markup.match(/aria-keyshortcuts="a"/g)).toHaveLength(1);
  expect(markup.match(/aria-current="true"/g)).toHaveLength(1);
});

test("without requests the page shows a hint and no key help", () => {
  expect(textOf(draw())).toBe(
    "No pending approvals Agents ask here, and in the room where they work, before they use a tool that needs approval.",
  );
});

test("a decided request shows its outcome instead of its buttons", () => {
  const markup = draw(createFakeApproval(1, { state: "denied", by: fakeOwner.id, reason: "not now" }));
  expect(textOf(markup)).toContain("You denied this. not now");
  expect(markup).not.toContain("<button");
});

test("the exact call is plain text, complete, and never markup", () => {
  const display = `shell\n  command: "<img src=x onerror=alert(1)> ${"y".repeat(50_000)}"`;
  const markup = renderUi(<Call approval={createFakeApproval(1, { display })} />);
  expect(markup).not.toContain("<img");
  expect(markup.match(/y{50000}/g)).toHaveLength(2);
});

test("a person who is not an admin reads who can approve", () => {
  const ui = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(textOf(renderUi(<InboxPage />, ui))).toContain("Only admins can answer requests");
});

test("the outcome names the person and the reason", () => {
  const outcomeOf = (more: Partial<ReturnType<typeof createFakeApproval>>) =>
    describeOutcome(createFakeApproval(1, { by: fakeMain.id, ...more }), fakeOwner.id, nameOf);
  expect(outcomeOf({})).toBeUndefined();
  expect(outcomeOf({ state: "allowed" })).toBe("Bea allowed this once.");
  expect(outcomeOf({ state: "allowed", scope: "session" })).toBe("Bea allowed this until the next session.");
  expect(outcomeOf({ state: "allowed", scope: "rule", by: fakeOwner.id })).toBe("You saved a rule that allows this.");
  expect(outcomeOf({ state: "used" })).toBe("Bea allowed this once. The call has started.");
  expect(outcomeOf({ state: "denied", reason: "no\u202e" })).toBe("Bea denied this. no‹U+202E›");
  expect(outcomeOf({ state: "expired" })).toBe("Expired without an answer, so the call was denied.");
  expect(outcomeOf({ state: "expired", reason: "It was stopped." })).toBe("Closed without running. It was stopped.");
  expect([0, 1, 2].map(describeOpenApprovals)[1]).toBe("1 pending approval. The agent waits for your answer.");
  expect(describeRequestedCall({ what: { kind: "model", name: "p/m", input: "", hash: "" } }, "Bea")).toBe(
    "Bea wants to call the model p/m",
  );
});

test("a rule shows its text, its author and a button that removes it", () => {
  const rule = {
    id: ApprovalRuleId.parse(`rule_${"0".repeat(26)}`),
    house: fakeHouse.id,
    agent: fakeMain.id,
    tool: "shell",
    bound: "{}",
    text: "@main may call shell, unasked.",
    by: fakeOwner.id,
    at: 0,
  };
  const text = textOf(renderUi(<RuleList rules={[rule]} onChanged={() => {}} />));
  expect(text).toMatch(/@main may call shell, unasked\. You allowed this .* Remove rule/);
  expect(textOf(renderUi(<RuleList rules={[]} onChanged={() => {}} />))).toContain("No saved rules");
});

test("in its room a waiting agent shows the request to admins, and a short notice to others", () => {
  const card = renderPart(<ApprovalCard approval={createFakeApproval(1)} onDecided={() => {}} />);
  expect(textOf(card)).toMatch(/^Main wants to run a command Requested .* ls Risk .* Allow once .* Deny$/);
  expect(textOf(card)).not.toContain("In Main");
  const others = "waits for an admin of its house.";
  const waiting = <Waiting activation={createFakeLive({ state: "waiting" })} name="Main" />;
  expect(textOf(renderPart(waiting))).not.toContain(others);
  const reader = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(textOf(renderPart(waiting, {}, reader))).toContain(others);
  const elsewhere = { ...createFakeAgent(2, "Main"), house: HouseId.parse(`house_${"9".repeat(26)}`) };
  const stranger = createFakeUi({ houseSnapshot: { agents: new Map([[elsewhere.id, elsewhere]]) } });
  expect(textOf(renderPart(waiting, {}, stranger))).toContain(others);
});

test("the history has decided requests of both kinds, newest first, and filters keep an agent and a kind", () => {
  const agents = new Map([[fakeMain.id, fakeMain]]);
  const asked = [createFakeApproval(1, { state: "denied", decidedAt: 5 }), createFakeApproval(2)];
  const all = { agent: "", kind: "" };
  const kept = (filters: Partial<typeof all>) =>
    filterItems(asked, "approval", { ...all, ...filters }, agents).map(({ id }) => id);
  expect(kept({})).toHaveLength(2);
  expect(kept({ agent: "main", kind: "approval" })).toHaveLength(2);
  expect([kept({ agent: "scout" }), kept({ kind: "proposal" })]).toEqual([[], []]);
  const proposal = { id: "prop_1", state: "approved", at: 1, decidedAt: 9 } as unknown as Proposal;
  expect(listDecidedItems(asked, [proposal, { ...proposal, state: "pending" }]).map(timeOf)).toEqual([9, 5]);
});
