import { COMPILE_CHECKS } from './compile-checks.ts'
import { ELEMENT_CHAPTERS } from './elements.ts'
import { MUTATIONS } from './mutations.ts'
import type { Chapter, SpecOption } from './option.ts'
import { QUERIES } from './queries.ts'
import { furtherKeys } from './schema-keys.ts'
import { TYPES_AND_FIELDS } from './types-and-fields.ts'
import { VALIDATION } from './validation.ts'

const WRITTEN: readonly Chapter[] = [
  ...TYPES_AND_FIELDS,
  ...QUERIES,
  ...MUTATIONS,
  ...ELEMENT_CHAPTERS,
  ...VALIDATION,
  ...COMPILE_CHECKS,
]

/** Every option of the chapters about the schema language, and every further key of schema.json. */
export function listOptions(): readonly SpecOption[] {
  const known = new Set(WRITTEN.flatMap(({ options }) => Object.keys(options)))
  return [...WRITTEN, furtherKeys(known)].flatMap((chapter) =>
    Object.entries(chapter.options).map(([id, text]) => ({ id, text, chapter })),
  )
}
