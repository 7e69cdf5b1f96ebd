/** The bounds between which the true rate lies with 95 % (Wilson). */
export const bounds = (hits: number, cases: number): string => {
  const z = 1.96;
  const rate = hits / cases;
  const middle = rate + (z * z) / (2 * cases);
  const spread = z * Math.sqrt((rate * (1 - rate) + (z * z) / (4 * cases)) / cases);
  const percent = (value: number) => Math.round((100 * value) / (1 + (z * z) / cases));
  return `${hits}/${cases} (${percent(middle - spread)} to ${percent(middle + spread)} %)`;
};
