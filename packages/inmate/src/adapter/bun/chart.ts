/** The part of the process of documents that draws charts, in a file that only charts load. */
export { drawChart } from "@hearth/documents/chart";
