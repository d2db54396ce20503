/** How contents that are not text are described, and which files a message has. */
import { expect, test } from "bun:test";
import { describeContents, readFiles } from "./contents.ts";

test.each([
  [{ location: { latitude: 1, longitude: 2 } }, ["[location 1, 2]"]],
  [{ location: { latitude: "1", longitude: null } }, ["[location ?, ?]"]],
  [
    {
      venue: { title: "Cafe", address: "", location: { latitude: 1, longitude: 2 } },
      location: { latitude: 1, longitude: 2 },
    },
    ["[place Cafe, 1, 2]"],
  ],
  [{ dice: { emoji: "🎲", value: 4 } }, ["[🎲 4]"]],
  [{ dice: {} }, ["[?]"]],
  [{ sticker: {} }, ["[sticker]"]],
  [{ contact: { first_name: "Bo", last_name: "", phone_number: "1" } }, ["[contact Bo, 1]"]],
  [{ contact: { phone_number: "1" } }, ["[contact 1]"]],
  [{ poll: { question: "q", options: [{ text: "a" }, { text: "b" }] } }, ["[poll q: a / b]"]],
  [{ poll: { question: "q" } }, ["[poll q: ]"]],
  [{ text: "x" }, []],
] as const)("%j is described as %j", (message, lines) => {
  expect(describeContents(message)).toEqual([...lines]);
});

test.each([
  [
    { document: { file_id: "f", file_name: "a.txt", mime_type: "text/plain", file_size: 2048 } },
    [{ id: "f", name: "a.txt", summary: "file, a.txt, text/plain, 2.0 kB", sizeBytes: 2048 }],
  ],
  [
    { document: { file_id: "f" }, animation: { file_id: "g", width: 2, height: 3, duration: 4 } },
    [{ id: "g", name: "animation.mp4", summary: "animation, 2 × 3, 4 s" }],
  ],
  [
    {
      photo: [
        { file_id: "s", width: 1, height: 1 },
        { file_id: "l", width: 5, height: 5 },
        { file_id: "m", width: 2, height: 2 },
      ],
    },
    [{ id: "l", name: "photo.jpg", summary: "photo, 5 × 5" }],
  ],
  [
    {
      photo: [
        { file_id: "a", width: 2, height: 2 },
        { file_id: "b", width: 2, height: 2 },
      ],
    },
    [{ id: "b", name: "photo.jpg", summary: "photo, 2 × 2" }],
  ],
  [{ photo: [] }, [{ id: "", name: "photo.jpg", summary: "photo" }]],
  [
    { photo: [{ file_id: "a", width: -1, height: 2, file_size: -3 }] },
    [{ id: "a", name: "photo.jpg", summary: "photo" }],
  ],
  [{ audio: { file_id: "f", duration: 1.5, width: 3 } }, [{ id: "f", name: "audio.mp3", summary: "audio" }]],
  [{ text: "x" }, []],
] as const)("%j has the files %j", (message, files) => {
  expect<unknown>(readFiles(message)).toEqual([...files]);
});
