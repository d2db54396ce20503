import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { parseConfig } from "../../kernel/config/read.ts";
import { createHouseVoice } from "./house-voice.ts";
import { toWave } from "./memory-speaker.ts";

test("espeak-ng reads each text with the voice of its language", async () => {
  const { config } = parseConfig(
    'version = 1\n[voice]\nspeak = { kind = "program", program = "espeak-ng", voice = "en+f3" }\n',
    "hearth.toml",
  );
  const commands: string[] = [];
  const { clock } = createFakeWorld({ hash: () => "" });
  const voice = createHouseVoice({
    world: { clock, fetch: () => Promise.reject(new Error("no network")) },
    config: { current: () => config },
    references: {} as never,
    run: async (command) => {
      commands.push(command.join(" "));
      return { code: 0, output: toWave(new Uint8Array(10)), errors: "" };
    },
  });
  for (const text of ["Ich habe die Tomaten gegossen.", "I have watered the tomatoes.", "OK"])
    await (await voice.speech(text))?.run(new AbortController().signal);
  expect(commands).toEqual([
    "espeak-ng --stdin --stdout -v de+f3",
    "espeak-ng --stdin --stdout -v en+f3",
    "espeak-ng --stdin --stdout -v en+f3",
  ]);
});
