import { APP } from './app.ts'
import { DOCUMENTS } from './documents.ts'
import { HTTP } from './http.ts'
import { KERNEL } from './kernel.ts'
import type { Mutant } from './mutant.ts'

/** Faults by room. */
export const LISTS: Readonly<Record<string, readonly Mutant[]>> = {
  kernel: KERNEL,
  app: APP,
  http: HTTP,
  documents: DOCUMENTS,
}
