/** German texts of this folder. */

// hold-banner.tsx
export const review = "Prüfen";
export const houseIsOnHold = "Dieses Haus wurde aus einer Kopie wiederhergestellt und ist angehalten.";
