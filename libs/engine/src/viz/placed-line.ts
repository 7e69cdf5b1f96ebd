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
  /** Pixels it descends for each to the right; level where it is absent. */
  slope?: number;
}
