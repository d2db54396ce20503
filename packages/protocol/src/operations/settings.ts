/** Operations on single values of the config file. */
import { EditSettings, SettingList, WebSearchTest } from "../house/settings.ts";
import { declareOperations } from "./operation.ts";

export const settingOperations = declareOperations("House", {
  list: {
    id: "listSettings",
    method: "GET",
    path: "/api/settings",
    needs: "x on home",
    summary: "Lists the settings that can be changed one by one",
    answers: { status: 200, schema: SettingList },
  },
  edit: {
    id: "editSettings",
    method: "PATCH",
    path: "/api/settings",
    needs: "x on home",
    summary: "Changes settings in the config file, and returns all of them",
    description:
      "All values are changed in one edit, or none is. Comments and the order of the file stay. A setting with `needsProof` needs the run token or a fresh login.",
    body: EditSettings,
    answers: { status: 200, schema: SettingList },
    errors: ["config.invalid", "home.read-only"],
  },
  testWebSearch: {
    id: "testWebSearch",
    method: "POST",
    path: "/api/web-search/test",
    needs: "x on home",
    summary: "Makes one search with the search engine of the config file",
    answers: { status: 200, schema: WebSearchTest },
  },
});
