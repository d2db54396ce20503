import { expect, test } from "bun:test";
import { hasChecklistContent } from "./brain.ts";

test("headings, comments, rules and empty list items count as nothing to do", () => {
  const none = [
    "",
    "# Title\n",
    "<!-- - the post -->",
    "<!-- open\n- the post",
    "- \n* [ ]\n- [x] \n---\n***\n> \n",
    "// a note",
  ];
  for (const text of none) expect([text, hasChecklistContent(text)]).toEqual([text, false]);
  for (const text of ["- the post", "<!-- a -->b", "# Title\nthe post", "- [ ] the post", "1. the post"])
    expect([text, hasChecklistContent(text)]).toEqual([text, true]);
});
