import { expect, test } from "bun:test";
import { type ChannelInfo, DeliveryId, type Delivery, type Pairing } from "@hearth/protocol";
import { createFakeUi } from "../../../house/fake-ui.tsx";
import { renderUi } from "../../../rooms/fake-view.tsx";
import { type ChannelDraft, isComplete, isToken, parseSenders, toRequest } from "./channel-draft.ts";
import { StepList } from "./new-channel-page.tsx";
import { PairSender } from "./pairing-step.tsx";
import { freeName } from "./platforms.ts";
import { DeliveryNotice } from "./test-step.tsx";

const draft: ChannelDraft = {
  kind: "telegram",
  token: " 4242:a-token ",
  agent: "main",
  mode: "pairing",
  allow: "",
  directOnly: false,
  mentionRequired: false,
};

test("a token has the form of the platform's tokens", () => {
  expect(
    ["4242:a-token", " 4242:a-token ", "4242", "a:token", "4242:a b"].map((token) => isToken({ ...draft, token })),
  ).toEqual([true, true, false, false, false]);
});

test("senders are separated by commas, semicolons or spaces", () => {
  expect(parseSenders(" 1, 2;3  4 ,")).toEqual(["1", "2", "3", "4"]);
});

test("an admission of single accounts needs an account", () => {
  expect(isComplete(draft)).toBe(true);
  expect(isComplete({ ...draft, agent: "" })).toBe(false);
  expect(isComplete({ ...draft, mode: "allow" })).toBe(false);
  expect(isComplete({ ...draft, mode: "allow", allow: "7" })).toBe(true);
});

test("the request has a free name, and an admission only if it differs from the default", () => {
  expect(toRequest(draft, [])).toEqual({ name: "telegram", kind: "telegram", agent: "main", token: "4242:a-token" });
  expect(toRequest({ ...draft, mode: "allow", allow: "7 8", mentionRequired: true }, ["telegram"])).toMatchObject({
    name: "telegram-2",
    admission: { mode: "allow", allow: ["7", "8"], mentionRequired: true },
  });
  // A channel without groups needs no rule about mentions in them.
  expect(toRequest({ ...draft, directOnly: true, mentionRequired: true }, []).admission).toEqual({ directOnly: true });
  expect(freeName("telegram", ["telegram", "telegram-2"])).toBe("telegram-3");
});

test("the list of steps marks the current one and those that are done", () => {
  const markup = renderUi(<StepList currentStep="access" />);
  expect(markup.match(/\(done\)/g)).toHaveLength(2);
  expect(markup).toMatch(/aria-current="step"[^>]*>[^]*?Access/);
});

const info: ChannelInfo = {
  name: "telegram",
  kind: "telegram",
  mode: "poll",
  agent: "main",
  state: "ready",
  queued: 0,
  unknown: 0,
};
const waiting: Pairing = { channel: "telegram", sender: "7", name: "Ana", state: "pending", createdAt: 0 };
const pairing = (pairings: readonly Pairing[], isCodeRequired = true): string =>
  renderUi(
    <PairSender
      info={info}
      account="@house_bot"
      isCodeRequired={isCodeRequired}
      pairings={pairings}
      onPaired={() => {}}
    />,
    createFakeUi(),
  );

test("the pairing names the account to write to, and the senders that have a code", () => {
  expect(pairing([])).toContain("Open @house_bot in Telegram");
  expect(pairing([])).toContain("Waiting for a message");
  expect(pairing([waiting])).toContain("Code sent to Ana.");
  expect(pairing([])).toContain("Ada (you)");
  expect(pairing([], false)).toContain("No code is needed.");
});

test("the outcome of the test message is shown in words", () => {
  const delivery: Delivery = {
    id: DeliveryId.parse("out_00000000000000000000000001"),
    channel: "telegram",
    conversation: "7",
    text: "",
    state: "sent",
    attempts: 1,
    createdAt: 0,
  };
  const show = (more: Partial<Delivery>): string => renderUi(<DeliveryNotice delivery={{ ...delivery, ...more }} />);
  expect(show({})).toContain("The test message was delivered");
  expect(show({ state: "queued" })).toContain("Sending");
  const error = { code: "channel.refused", message: "The chat is closed." } as const;
  expect(show({ state: "refused", error })).toContain("The chat is closed.");
});
