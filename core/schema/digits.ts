/** What a column of decimals holds: `numeric(12, 2)` has twelve digits, two of them behind the point. */
export interface Digits {
  readonly precision: number
  readonly scale: number
}
