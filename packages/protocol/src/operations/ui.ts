/** The address of the UI. */
import { declareOperations } from "./operation.ts";

export const uiOperations = declareOperations("UI", {
  home: {
    id: "home",
    method: "GET",
    path: "/",
    needs: "nothing",
    summary: "Redirects to the UI",
    answers: { status: 302, text: "To /ui/." },
  },
});
