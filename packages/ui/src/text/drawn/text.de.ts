/** German texts of this folder. */

// drawn-diagram.tsx
export const diagram = "Diagramm";
export const drawingDiagram = "Das Diagramm wird gezeichnet …";
export const diagramError = "Das Diagramm konnte nicht gezeichnet werden. Das ist sein Quelltext.";
export const showSource = "Quelltext zeigen";
export const hideSource = "Quelltext ausblenden";

// drawn-formula.tsx
export const formulaError = "Diese Formel hat einen Fehler.";
