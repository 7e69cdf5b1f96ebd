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
import { findSelfieFaces } from './turned.ts';
import { type Rotation, viewOf } from './view.ts';

/**
 * The part of the engine for faces, with its nets loaded. There is one in each process. Parallel
 * calls gain nothing: a net has one thread.
 */
export interface FaceEngine {
  /** Faces of an upright page, largest first. */
  findFaces(page: Page): Promise<Face[]>;
  /** The faces in a selfie, which may lie on its side, largest first. */
  findOnSelfie(page: Page): Promise<Face[]>;
  /**
   * The faces on a document's page that may lie on its side. `rotation` (clockwise) if the reading
   * knows it.
   */
  findOnDocument(page: Page, rotation?: Rotation): Promise<Face[]>;
  /** The same if the document's place is known: only faces within it are the document's. */
  findAround(page: Page, area: Box, rotation?: Rotation): Promise<FacesAround>;
  /**
   * The smaller portrait beside the holder's, if the document has one; any other face if the
   * document's extent is unknown.
   */
  findSecondFace(face: Face, isDocumentKnown?: boolean): Promise<Face | undefined>;
  describeFace(face: Face): Promise<FaceTemplate>;
  /** Throws TypeError if the templates have different recipes. */
  compareFaces(a: FaceTemplate, b: FaceTemplate): Comparison;
  /** The faces in a portrait that an issuer took, upright, largest first. */
  findPortraitFaces(page: Page): Promise<Face[]>;
  /**
   * What one quick look measures of such a portrait, if it leaves no doubt that there is one face
   * that can be compared.
   */
  glanceAtPortrait(page: Page): Promise<PortraitMeasures | undefined>;
  /** The rules for a selfie, applied to the faces in it. */
  portraitQuality(faces: readonly Face[]): { assessment: PortraitAssessment; measures?: PortraitMeasures };
  /** The rules for the portrait on a document. */
  documentPortraitQuality(face: Face | undefined): {
    assessment: DocumentPortraitAssessment;
    measures?: PortraitMeasures;
  };
  /** JPEG of the head, upright. */
  cropPortrait(face: Face): Promise<Buffer>;
}

/** A face in the form that the rules for several faces take. */
export const seenFace = ({ box, score }: Face) => ({ area: box.width * box.height, score });

export async function openFaceEngine(modelsFolder: string): Promise<FaceEngine> {
  const nets = await openNets(modelsFolder);
  return {
    findFaces: (page) => findFaces(nets, viewOf(page.rgb)),
    findOnSelfie: (page) => findSelfieFaces(nets, page.rgb),
    findOnDocument: (page, rotation) => findUprightFaces(nets, page.rgb, rotation),
    findAround: (page, area, rotation) => findFacesAround(nets, page.rgb, rotation, area),
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
