/** Values found by the labels printed beside or above them. Upper case, dates ISO. */
export interface LabelledValues {
  surname?: string;
  givenNames?: string[];
  documentNumber?: string;
  cardNumber?: string;
  birthDate?: string;
  expiryDate?: string;
  issuingDate?: string;
  sex?: 'M' | 'F' | 'X';
  address?: { streetLines: string[]; city?: string; state?: string; postcode?: string };
}
