/** German texts of this folder. */

export const cancel = "Abbrechen";
export const save = "Speichern";
export const player = (name: string): string => `Audioplayer: ${name}`;
export const transcript = "Transkript";
export const correctedTranscript = "Transkript, korrigiert";
export const editTranscript = "Transkript bearbeiten";
export const transcribe = "Transkribieren";
export const notTranscribed = (why: string): string => `Nicht transkribiert. ${why}`;
export const noSpeech = "Es wurde keine Sprache erkannt.";
