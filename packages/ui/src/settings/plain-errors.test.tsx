/** Problems that the pages of settings show contain no shell commands and no local addresses. */
import { expect, test } from "bun:test";
import type { BackupState, ChannelInfo, TunnelInfo } from "@hearth/protocol";
import { createFakeSlot } from "@hearth/protocol/job-fake";
import type { ReactNode } from "react";
import { SlotList } from "../jobs/job-slots.tsx";
import { renderUi, textOf } from "../rooms/fake-view.tsx";
import { BackupTable } from "./backups/backup-table.tsx";
import { CopyTable, RestoreProgress } from "./backups/restore-section.tsx";
import { ChannelTable } from "./channels/channel-table.tsx";
import { CheckResults } from "./house/system-page.tsx";
import { TunnelState } from "./remote/remote-section.tsx";

const nothing = (): void => {};
const problem =
  "The server at http://127.0.0.1:9000/x refused it. Run `hearth backup list --to /var/backups` to see why. Try again.";
const error = { code: "store.unavailable", message: problem, hint: "Start it: hearth tunnel start" } as const;
const place: BackupState = {
  to: "/backups",
  everyMs: 1,
  keep: 1,
  isEncrypted: false,
  isRunning: false,
  isLate: false,
  problem,
};
const channel: ChannelInfo = {
  name: "family",
  kind: "telegram",
  mode: "poll",
  agent: "main",
  state: "failing",
  error,
  queued: 0,
  unknown: 0,
};
const tunnel: TunnelInfo = { state: "waiting", kind: "cloudflared", error, nextTryAt: 1 };

const pages: Readonly<Record<string, ReactNode>> = {
  "a backup that failed": <BackupTable places={[place]} onChanged={nothing} />,
  "a damaged backup": <CopyTable copies={[{ number: 1, state: "damaged", problem }]} onChoose={nothing} />,
  "a restore that failed": <RestoreProgress restore={{ state: "failed", number: 1, problem }} />,
  "a channel that fails": <ChannelTable channels={[channel]} bots={[]} onChanged={nothing} />,
  "a tunnel that waits": <TunnelState tunnel={tunnel} />,
  "a check that failed": <CheckResults checks={[{ name: "store", ok: false, detail: "full", fix: problem }]} />,
  "a run of a job that failed": <SlotList slots={[createFakeSlot({ fate: "failed", reason: problem })]} />,
};

for (const [name, page] of Object.entries(pages))
  test(`${name} shows the reason without commands`, () => {
    const text = textOf(renderUi(page));
    expect(text).toContain("The server at this machine refused it. Try again.");
    expect(text).not.toMatch(/hearth (?:backup|tunnel)|127\.0\.0\.1|\/var\/backups|`/);
  });

test("a check whose fix is a command names the place where it is shown", () => {
  const checks = [
    { name: "config", ok: false, detail: "changed", fix: "Restart the house: hearth stop, then hearth up" },
  ];
  const text = textOf(renderUi(<CheckResults checks={checks} />));
  expect(text).toContain("The fix needs a terminal on the machine of this house");
  expect(text).not.toContain("hearth stop");
});
