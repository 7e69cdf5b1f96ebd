import type { Box } from '../engine.ts';
import type { Page } from '../image.ts';
import {
  assessDocumentPortrait,
  assessSelfie,
  type DocumentPortraitAssessment,
  isClearlyUsable,
  type PortraitAssessment,
  type PortraitMeasures,
} from '../rules/portrait-rules.ts';
import { compareFaces } from './compare.ts';
import { cropPortrait } from './crop.ts';
import { describeFace } from './describe.ts';
import {
  type Face,
  type FacesAround,
  findFaces,
  findFacesAround,
  findPortraitFaces,
  findSecondFace,
  findUprightFaces,
  glanceAtPortrait,
} from './find.ts';
import { measurePortrait } from './measures.ts';
import { openNets } from './nets.ts';
import type { Comparison, FaceTemplate } from './template.ts';
import { type Turn, viewOf } from './view.ts';

/**
 * The face half of the engine, its nets loaded. One per process; calls may not overlap usefully, a
 * net has one thread.
 */
export interface FaceEngine {
  /** Faces of an upright page, largest first. */
  findFaces(page: Page): Promise<Face[]>;
  /**
   * Faces of a document's page that may lie on its side. `turn` (clockwise) when the reading knows
   * it.
   */
  findOnDocument(page: Page, turn?: Turn): Promise<Face[]>;
  /**
   * The same where it is known where the document lies: only faces within it are the document's.
   */
  findAround(page: Page, area: Box, turn?: Turn): Promise<FacesAround>;
  /**
   * The smaller portrait beside the holder's, where a document has one; any other face where nobody
   * knows how far the document reaches.
   */
  findSecondFace(face: Face, isDocumentKnown?: boolean): Promise<Face | undefined>;
  describeFace(face: Face): Promise<FaceTemplate>;
  /** Throws TypeError when the templates were made by another recipe. */
  compareFaces(a: FaceTemplate, b: FaceTemplate): Comparison;
  /** Faces of a portrait that an issuer took, upright, largest first. */
  findPortraitFaces(page: Page): Promise<Face[]>;
  /**
   * What is measured at a glance of such a portrait, where there is no doubt that it shows one
   * face, which can be compared.
   */
  glanceAtPortrait(page: Page): Promise<PortraitMeasures | undefined>;
  /** The rules for a selfie over the faces found in it. */
  portraitQuality(faces: readonly Face[]): { assessment: PortraitAssessment; measures?: PortraitMeasures };
  /** The rules for the portrait on a document. */
  documentPortraitQuality(face: Face | undefined): {
    assessment: DocumentPortraitAssessment;
    measures?: PortraitMeasures;
  };
  /** JPEG of the head, upright. */
  cropPortrait(face: Face): Promise<Buffer>;
}

/** A face as the rules that count faces see it. */
export const seenFace = ({ box, score }: Face) => ({ area: box.width * box.height, score });

export async function openFaceEngine(modelsFolder: string): Promise<FaceEngine> {
  const nets = await openNets(modelsFolder);
  return {
    findFaces: (page) => findFaces(nets, viewOf(page.rgb)),
    findOnDocument: (page, turn) => findUprightFaces(nets, page.rgb, turn),
    findAround: (page, area, turn) => findFacesAround(nets, page.rgb, turn, area),
    findPortraitFaces: (page) => findPortraitFaces(nets, viewOf(page.rgb)),
    glanceAtPortrait: async (page) => {
      const face = await glanceAtPortrait(nets, viewOf(page.rgb));
      const measures = face && measurePortrait(face);
      return measures && isClearlyUsable(measures) ? measures : undefined;
    },
    findSecondFace: (face, isDocumentKnown) => findSecondFace(nets, face, isDocumentKnown),
    describeFace: (face) => describeFace(nets, face),
    compareFaces,
    portraitQuality: (faces) => {
      const measures = faces[0] && measurePortrait(faces[0]);
      return { assessment: assessSelfie(faces.map(seenFace), measures), ...(measures && { measures }) };
    },
    documentPortraitQuality: (face) => {
      const measures = face && measurePortrait(face);
      return { assessment: assessDocumentPortrait(measures), ...(measures && { measures }) };
    },
    cropPortrait,
  };
}
