import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeUi } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { BackupRow } from "./backups-page.tsx";
import { TestResult } from "./target-buttons.tsx";
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

test("a target can be tested, changed and removed, and the folder only used", () => {
  const place = { to: "s3://b", everyMs: 1, keep: 1, isEncrypted: false, isRunning: false, isLate: false };
  const draw = (target?: string): string =>
    renderToStaticMarkup(
      <UiProvider value={createFakeUi()}>
        <BackupRow place={target === undefined ? place : { ...place, target }} onStarted={() => {}} />
      </UiProvider>,
    );
  for (const action of ["Test", "Change", "Remove"]) {
    expect(draw("nas")).toContain(`aria-label="${action} nas"`);
    expect(draw()).not.toContain(`>${action}</button>`);
  }
  expect(renderToStaticMarkup(<TestResult tested={{ ok: true, detail: "x" }} />)).toContain("The target works.");
  const failed = renderToStaticMarkup(<TestResult tested={{ ok: false, detail: "The bucket is gone." }} />);
  expect(failed).toContain("The target failed the test");
  expect(failed).toContain("The bucket is gone.");
});
