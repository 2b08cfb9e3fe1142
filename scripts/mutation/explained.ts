/** Why no test can, or needs to, notice a mutant. */
export interface Explained {
  readonly file: string
  /** Code that the mutant stands for, in whole. */
  readonly original: string
  readonly replacement: string
  readonly why: string
}

export const EXPLAINED: readonly Explained[] = []

/** @returns `null`: it is a survivor that has to be looked into */
export function explain(mutant: Omit<Explained, 'why'>): string | null {
  const same = ({ file, original, replacement }: Explained): boolean =>
    file === mutant.file && original === mutant.original && replacement === mutant.replacement
  return EXPLAINED.find(same)?.why ?? null
}
