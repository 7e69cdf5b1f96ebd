/** A line of print and where it is on its upright page, in pixels. */
export interface PlacedLine {
  side: 'FRONT' | 'BACK';
  text: string;
  confidence: number;
  left: number;
  right: number;
  x: number;
  y: number;
  height: number;
}
