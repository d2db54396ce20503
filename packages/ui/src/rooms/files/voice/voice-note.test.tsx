import { expect, test } from "bun:test";
import type { AttachedTranscript } from "@hearth/protocol";
import { createFakeMe, createFakeUi, fakeEntry } from "../../../house/fake-ui.tsx";
import type { Recordings } from "../../../house/recordings.ts";
import { RecordButton } from "../../composer/record-button.tsx";
import { renderPart, textOf } from "../../fake-view.tsx";
import { Transcript } from "./voice-note.tsx";

const about = { segments: [], source: "openai/whisper-1", at: 1 };

interface Shown {
  readonly transcript?: AttachedTranscript;
  readonly mayEdit?: boolean;
  readonly mayTranscribe?: boolean;
  readonly transcribes?: true;
}

const show = ({ transcript, mayEdit = false, mayTranscribe = true, transcribes }: Shown): string => {
  const me = createFakeMe("w");
  const ui = createFakeUi({ houseSnapshot: { me: transcribes === true ? { ...me, transcribes } : me } });
  return renderPart(
    <Transcript
      attachment="upl_1"
      transcript={transcript}
      mayEdit={mayEdit}
      mayTranscribe={mayTranscribe}
      onChange={() => {}}
    />,
    {},
    ui,
  );
};

test("a transcript shows its text and whether it was corrected; its sender can edit it", () => {
  const transcript = { ...about, text: "Water <b>them</b>\u202e." };
  const html = show({ transcript, mayEdit: true });
  expect(html).toContain('aria-label="Edit transcript"');
  expect(html).not.toContain("<b>");
  expect(html).not.toContain("\u202e");
  expect(show({ transcript })).not.toContain("Edit transcript");
  const corrected = { ...transcript, editedBy: createFakeMe("w").agent.id };
  expect(textOf(show({ transcript: corrected }))).toStartWith("Transcript, corrected");
  expect(textOf(show({ transcript: { ...about, text: "" } }))).toBe("Transcript No speech was recognized.");
});

test("audio without a transcript offers one where the house transcribes and the user may write", () => {
  expect(textOf(show({ transcribes: true }))).toBe("Transcribe");
  expect(show({})).toBe("");
  expect(show({ transcribes: true, mayTranscribe: false })).toBe("");
  const error = { code: "budget.spent", message: "It is spent." } as const;
  expect(textOf(show({ transcribes: true, transcript: { ...about, error } }))).toBe(
    "Not transcribed. It is spent. Transcribe",
  );
});

test("the microphone button exists only where the browser gives a microphone", () => {
  const button = (recordings: Recordings | undefined): string =>
    renderPart(
      <RecordButton room={fakeEntry.room.id} files={{ add: async () => true }} onFailure={() => {}} />,
      {},
      createFakeUi({ recordings }),
    );
  const recordings: Recordings = {
    start: () => Promise.reject(new TypeError("the fake has no microphone")),
    recover: async () => undefined,
    forget: async () => {},
  };
  expect(button(recordings)).toContain('aria-label="Record a voice note"');
  expect(button(undefined)).toBe("");
});
