/** User-facing texts of this folder, in the order of its files. */

// drawn-diagram.tsx
export const diagram = "Diagram";
export const drawingDiagram = "Drawing the diagram …";
export const diagramError = "The diagram could not be drawn. This is its source.";
export const showSource = "Show source";
export const hideSource = "Hide source";

// drawn-formula.tsx
export const formulaError = "This formula has an error.";
