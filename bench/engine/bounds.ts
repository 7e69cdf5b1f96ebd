/** The bounds between which the true rate lies with 95 % (Wilson). */
export const bounds = (hits: number, of: number): string => {
  const z = 1.96;
  const rate = hits / of;
  const middle = rate + (z * z) / (2 * of);
  const spread = z * Math.sqrt((rate * (1 - rate) + (z * z) / (4 * of)) / of);
  const percent = (value: number) => Math.round((100 * value) / (1 + (z * z) / of));
  return `${hits}/${of} (${percent(middle - spread)} to ${percent(middle + spread)} %)`;
};
