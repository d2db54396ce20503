/** User-facing texts of this folder, in the order of its files. */

export const cancel = "Cancel";
export const save = "Save";
export const player = (name: string): string => `Audio player: ${name}`;
export const transcript = "Transcript";
export const correctedTranscript = "Transcript, corrected";
export const editTranscript = "Edit transcript";
export const transcribe = "Transcribe";
export const notTranscribed = (why: string): string => `Not transcribed. ${why}`;
export const noSpeech = "No speech was recognized.";
