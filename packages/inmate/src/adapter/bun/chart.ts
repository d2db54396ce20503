/** Exports the drawing of charts from a separate file, so that only charts load its libraries. */
export { drawChart } from "@hearth/documents/chart";
