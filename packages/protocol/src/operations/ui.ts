/** The address of the UI. */
import { operations } from "./operation.ts";

export const uiOperations = operations("UI", {
  home: {
    id: "home",
    method: "GET",
    path: "/",
    needs: "nothing",
    summary: "Redirects to the UI",
    answers: { status: 302, text: "To /ui/." },
  },
});
