/** Voice in the browser: a note is recorded and sent, its transcript is corrected, a reply is heard. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, eventsOf, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { createVoiceServer, VOICE_KEY, voiceTable } from "../journeys/voice-server.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** A microphone that beeps, and a user who allows it. */
const MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];

/** Samples of 16 bits at 16 kHz. */
const BYTES_PER_SECOND = 32_000;

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};

const record = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Record a voice note" }).click();
  await page.getByRole("timer").getByText("0:02").waitFor();
};

const notesOf = async (daemon: Daemon) => (await eventsOf(daemon, "main")).flatMap((event) => event.attachments ?? []);

inBrowser(
  "a person with a microphone",
  ({ visit }) => {
    test("records and sends a voice note, corrects its transcript, and listens to the reply", async () => {
      using home = createHome();
      using voice = createVoiceServer();
      await using model = createModel();
      model.answer = () => ["I **will** water them."];
      writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${voiceTable(voice)}`);
      await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", VOICE_KEY });
      await welcome(daemon);
      const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
      await using visited = await visit(daemon, { path: "/ui/rooms/main", ...phone });
      const { page } = visited;
      await record(page);
      await shoot(page, "voice-recording");
      await expectFit(page);
      await page.getByRole("button", { name: "Finish recording" }).click();
      const waiting = page.getByRole("list", { name: "Files of this message" });
      await waiting.getByText(/^voice-.*\.wav$/).waitFor();
      await page.getByRole("button", { name: "Send" }).click();

      const log = page.getByRole("log");
      await log.getByText("Please water the tomatoes.").waitFor();
      const [attachment] = await notesOf(daemon);
      expect(attachment.type).toBe("audio/wav");
      // 16 kHz, one channel, 16 bits; and the microphone was heard.
      const [heard = new Uint8Array()] = voice.heard;
      const view = new DataView(heard.buffer, heard.byteOffset);
      expect([view.getUint16(22, true), view.getUint32(24, true), view.getUint16(34, true)]).toEqual([1, 16_000, 16]);
      expect(heard.length).toBeGreaterThan(BYTES_PER_SECOND);
      expect(heard.subarray(44).some((byte) => byte !== 0)).toBe(true);
      await shoot(page, "voice-note");
      const edges = await log.getByRole("article", { name: /^You/ }).evaluate((note) => {
        const right = (element: Element | null) => element?.getBoundingClientRect().right ?? 0;
        return right(note) - right(note.querySelector("audio"));
      });
      expect(edges).toBeGreaterThanOrEqual(0);
      await expectFit(page);

      await log.getByRole("button", { name: "Edit transcript" }).click();
      await log.getByRole("textbox", { name: "Transcript" }).fill("Water the beans.");
      await log.getByRole("button", { name: "Save" }).click();
      await log.getByText("Transcript, corrected").waitFor();
      await log.getByText("Water the beans.").waitFor();

      const reply = log.getByRole("article", { name: /^Main/ });
      await reply.getByText("will").waitFor();
      await reply.hover();
      await reply.getByRole("button", { name: "Listen" }).click();
      await page.waitForFunction(
        () => document.querySelector<HTMLAudioElement>('audio[aria-label="Spoken message"]')?.duration === 1,
      );
      expect(voice.spoken).toMatchObject([{ input: "I will water them." }]);
      await shoot(page, "voice-reply");

      const file = join(home.folder, "reply.wav");
      const saved = await daemon.hearth("room", "speech", "main", "--to", file);
      expect([saved.code, saved.stdout]).toEqual([0, expect.stringContaining(`Saved ${file}`)]);
      const shown = await daemon.hearth("room", "transcript", "main", attachment.id, "--json");
      expect(JSON.parse(shown.stdout)).toMatchObject({ text: "Water the beans.", language: "english" });
      expect(visited.complaints).toEqual([]);
    });

    test("hears new replies after choosing so, and none of them again after a reload", async () => {
      using home = createHome();
      using voice = createVoiceServer();
      await using model = createModel();
      let count = 0;
      model.answer = () => [`Answer number ${(count += 1)}.`];
      writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${voiceTable(voice)}`);
      await using daemon = await startDaemon(home.folder, { TEST_KEY: "k", VOICE_KEY });
      await welcome(daemon);
      await using visited = await visit(daemon, { path: "/ui/settings/notifications" });
      const { page } = visited;
      const choices = page.getByRole("group", { name: "Replies that are spoken" });
      expect(await choices.getByRole("radio", { name: "Never" }).isChecked()).toBe(true);
      await choices.getByRole("radio", { name: "Always" }).check();
      await page.getByText("Spoken replies saved.").waitFor();
      await shoot(page, "spoken-replies");
      expect((await daemon.hearth("voice", "replies")).stdout).toBe("always\n");

      await page.goto(`${daemon.url}/ui/rooms/main`);
      const log = page.getByRole("log");
      const ask = async (text: string, answer: string) => {
        await page.getByRole("textbox", { name: /^Message/ }).fill(text);
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await log.getByText(answer).waitFor();
      };
      await ask("one", "Answer number 1.");
      await page.waitForFunction(
        () => document.querySelector<HTMLAudioElement>('audio[aria-label="Spoken message"]')?.duration === 1,
      );
      expect(voice.spoken).toMatchObject([{ input: "Answer number 1." }]);
      await page.reload();
      await log.getByText("Answer number 1.").waitFor();
      await daemon.hearth("voice", "replies", "never");
      await ask("two", "Answer number 2.");
      expect(await page.getByLabel("Spoken message").count()).toBe(0);
      expect(voice.spoken).toHaveLength(1);
      expect(visited.complaints).toEqual([]);
    });

    test("loses no recording by a reload, and keeps nothing of a discarded one", async () => {
      using home = createHome();
      await using daemon = await startDaemon(home.folder);
      await welcome(daemon);
      await using visited = await visit(daemon, { path: "/ui/rooms/main" });
      const { page } = visited;
      await record(page);
      await page.reload();
      const waiting = page.getByRole("list", { name: "Files of this message" });
      await waiting.getByText(/^voice-.*\.wav$/).waitFor();
      await page.getByRole("button", { name: "Send" }).click();
      await until(async () => (await notesOf(daemon)).length === 1);
      // At least one of the two seconds was stored.
      expect((await notesOf(daemon))[0].sizeBytes).toBeGreaterThan(BYTES_PER_SECOND / 2);

      await record(page);
      await page.getByRole("button", { name: "Discard recording" }).click();
      await page.getByRole("button", { name: "Record a voice note" }).waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Record a voice note", disabled: false }).waitFor();
      expect(await waiting.count()).toBe(0);
      expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("recording")))).toEqual(
        [],
      );
      expect(visited.complaints).toEqual([]);
    });
  },
  async () => MICROPHONE,
);
