import { expect, test } from "bun:test";
import { type PasskeyInfo, type Session, SessionId } from "@hearth/protocol";
import { fakeOwner } from "../../house/fake-ui.tsx";
import { renderUi, textOf } from "../../rooms/fake-view.tsx";
import { PasskeysSection, PasskeyTable } from "./passkeys-section.tsx";
import { SessionList, SessionsSection } from "./sessions-section.tsx";

const nothing = (): void => {};
const session = (count: number, more: Partial<Session> = {}): Session => ({
  id: SessionId.parse(`ses_${String(count).padStart(26, "0")}`),
  agent: fakeOwner.id,
  isThis: false,
  about: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  createdAt: 1,
  usedAt: count,
  expiresAt: 2,
  ...more,
});
const sessions = (...listed: readonly Session[]): string =>
  renderUi(<SessionList sessions={listed} onChange={nothing} />);

test("the devices begin with this one, then the latest used, and a named device keeps its browser", () => {
  const text = textOf(
    sessions(
      session(1, { name: "Old tablet" }),
      session(3, { about: "curl/8.5.0", address: "192.0.2.7" }),
      session(2, { isThis: true, name: "Desk" }),
    ),
  );
  expect(text).toMatch(/Desk Firefox on Linux This device .* curl .* 192\.0\.2\.7 .* Old tablet Firefox on Linux/);
  expect(text).toContain("Log out all others");
});

test("without other devices there is nothing to log out", () => {
  const text = textOf(sessions(session(1, { isThis: true })));
  expect(text).toContain("No other devices");
  expect(text).not.toContain("Log out all others");
});

test("four devices have a search, and fewer have none", () => {
  const four = [1, 2, 3, 4].map((count) => session(count));
  expect(sessions(...four)).toContain('type="search"');
  expect(sessions(...four.slice(1))).not.toContain('type="search"');
});

const passkey = (count: number, more: Partial<PasskeyInfo> = {}): PasskeyInfo => ({
  id: `pky_${String(count).padStart(26, "0")}` as PasskeyInfo["id"],
  name: `Key ${count}`,
  host: "hearth.example.org",
  createdAt: 1,
  ...more,
});
const passkeys = (...listed: readonly PasskeyInfo[]): string =>
  renderUi(<PasskeyTable passkeys={listed} person={fakeOwner} isOwn onChange={nothing} />);

test("the passkeys show their address and last use, and can be selected", () => {
  const markup = passkeys(passkey(1), passkey(2, { usedAt: Date.UTC(2026, 2, 4, 11) }));
  expect(textOf(markup)).toMatch(/Key 1 hearth\.example\.org Never used .* Key 2 hearth\.example\.org 1 hr\. ago/);
  expect(markup).toContain("Select Key 1");
  expect(textOf(passkeys())).toContain("No passkeys");
});

test("both lists show that they are loading", () => {
  expect(renderUi(<SessionsSection />)).toContain("Loading");
  expect(renderUi(<PasskeysSection person={fakeOwner} isOwn />)).toContain("Loading");
});
