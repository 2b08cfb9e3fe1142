import type { Named } from './brand.ts'
import { apart, type OptionRule, readOptions, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare } from './registry.ts'
import type { ClassSource } from './type-source.ts'

/** What a hierarchy is made of. */
export interface HierarchyOptions {
  /** The type whose rows have the paths: its class, or what `type()` gave; a function when it is declared further down. */
  readonly type: ClassSource | Named<'type'> | (() => ClassSource | Named<'type'>)
  /** Its field of `LTree`. Default: the only one. */
  readonly path?: string
  /** Its field that clients name a row by. Default `id`. */
  readonly id?: string
}

const RULES = {
  type: apart,
  path: text('path'),
  id: text('id'),
} satisfies Record<keyof Required<HierarchyOptions>, OptionRule>

/**
 * Declares a tree of rows by their paths: `hierarchy('categories', { type: Category })`. A field of `LTree` that names it
 * (`@field(LTree, { hierarchy: 'categories' })`) is filtered by the ids of its rows.
 */
export function hierarchy(name: string, options: HierarchyOptions): void {
  const place = placeAbove(hierarchy)
  const subject = `hierarchy "${name}"`
  declare({
    collection: 'hierarchies',
    name,
    place,
    emit: (scope) => {
      const mapped = readOptions(RULES, options, subject, (message) => scope.fault(place, message))
      const type = scope.typeText(options?.type, subject, place)
      // Without a mark of non-null it is what stands for one that is none, and was reported.
      if (/[[\]]/.test(type)) scope.fault(place, `${subject} is of ${type}, which is a list. Name the type of its rows`)
      return { name, type: type.replace(/[^\w]/g, ''), ...mapped }
    },
  })
}
