import { expect, test } from "bun:test";
import type { BackupCopy, BackupState } from "@hearth/protocol";
import { renderUi, textOf } from "../../rooms/fake-view.tsx";
import { BackupTable } from "./backup-table.tsx";
import { BackupsPage } from "./backups-page.tsx";
import { CopyTable } from "./restore-section.tsx";
import { emptyFields, isComplete, type TargetFields, toAddress } from "./target-address.ts";
import { toScheduleChange } from "./target-schedule.tsx";
import { interval } from "./text.ts";

const fields = (more: Partial<TargetFields>): TargetFields => ({ ...emptyFields, ...more });

test("the fields of a target become the address of the config", () => {
  const s3 = fields({ bucket: "house", folder: "/home", endpoint: "https://s3.example.com ", region: "eu-1" });
  expect(toAddress(s3)).toBe("s3://house/home?endpoint=https://s3.example.com&region=eu-1");
  expect(toAddress(fields({ bucket: "house" }))).toBe("s3://house");
  const sftp = fields({ kind: "sftp", host: "me@nas:2222", folder: "/srv/h", identityFile: "/home/me/.ssh/a&b" });
  expect(toAddress(sftp)).toBe("sftp://me@nas:2222/srv/h?identity_file=/home/me/.ssh/a%26b");
  expect(toAddress(fields({ kind: "file", folder: "/mnt/share" }))).toBe("file:///mnt/share");
});

test("a target can be added when the fields that its kind needs are filled", () => {
  const complete = [
    fields({}),
    fields({ bucket: "b" }),
    fields({ kind: "sftp", host: "nas" }),
    fields({ kind: "sftp", host: "nas", folder: "/srv" }),
    fields({ kind: "file" }),
    fields({ kind: "file", folder: "/mnt" }),
  ];
  expect(complete.map(isComplete)).toEqual([false, true, false, true, false, true]);
});

test("an empty field of the schedule changes nothing, and an interval is written as in the config", () => {
  expect(toScheduleChange({ every: " ", keep: "" })).toEqual({});
  expect(toScheduleChange({ every: "12h", keep: "3" })).toEqual({ every: "12h", keep: 3 });
  expect([600_000, 5_400_000, 43_200_000, 172_800_000].map(interval)).toEqual(["10m", "90m", "12h", "2d"]);
});

const place: BackupState = {
  to: "/backups",
  everyMs: 1,
  keep: 1,
  isEncrypted: false,
  isRunning: false,
  isLate: false,
};
const table = (...places: readonly BackupState[]): string =>
  renderUi(<BackupTable places={places} onChanged={() => {}} />);

test("the table of backups shows the state of each place", () => {
  const last = { number: 7, at: Date.UTC(2026, 2, 4), bytes: 1 };
  const stateOf = (more: Partial<BackupState>): string => textOf(table({ ...place, ...more }));
  expect(stateOf({})).toContain("Folder /backups No backup yet None");
  expect(stateOf({ last })).toContain("Up to date Backup 7");
  expect(stateOf({ last, isLate: true })).toContain("Late");
  expect(stateOf({ last, isLate: true, problem: "The disk is full." })).toContain(
    "The last backup failed The disk is full.",
  );
  expect(stateOf({ problem: "The disk is full.", isRunning: true })).toContain("Backup in progress The disk is full.");
  expect(stateOf({ isEncrypted: true })).toContain("Encrypted");
  expect(textOf(table())).toContain("This house makes no backups yet");
});

test("a target can be selected and has a menu, and the folder has none", () => {
  const markup = table(place, { ...place, target: "nas", to: "s3://b" });
  expect(markup).toContain("Actions of nas");
  expect(markup).not.toContain("Actions of Folder");
  expect(markup.match(/Back up now to (?:Folder|nas)/g)).toEqual(["Back up now to Folder", "Back up now to nas"]);
});

test("a copy shows its time and size, and a damaged one cannot be restored", () => {
  const copies: readonly BackupCopy[] = [
    { number: 2, state: "complete", at: Date.UTC(2026, 2, 4), bytes: 2_097_152, isEncrypted: true },
    { number: 1, state: "damaged", problem: "The manifest is missing." },
  ];
  const markup = renderUi(<CopyTable copies={copies} onChoose={() => {}} />);
  expect(textOf(markup)).toMatch(
    /Backup 2 Complete Encrypted .* 2\.1 MB Restore Backup 1 Damaged The manifest is missing/,
  );
  expect(markup).toMatch(/<button[^>]*aria-label="Restore backup 1"[^>]*disabled/);
  expect(markup).not.toMatch(/<button[^>]*aria-label="Restore backup 2"[^>]*disabled/);
  expect(textOf(renderUi(<CopyTable copies={[]} onChoose={() => {}} />))).toBe("There are no backups at this place.");
});

test("the page shows that it is loading", () => {
  expect(renderUi(<BackupsPage />)).toContain("Loading");
});
