/** Precision and scale of a decimal column: `numeric(12, 2)` has twelve digits, two of them after the decimal point. */
export interface Digits {
  readonly precision: number
  readonly scale: number
}
