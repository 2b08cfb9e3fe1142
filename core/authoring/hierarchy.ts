import type { Named } from './brand.ts'
import { apart, type OptionRule, readOptions, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare } from './registry.ts'
import type { ClassSource } from './type-source.ts'

/** Options of a hierarchy. */
export interface HierarchyOptions {
  /** The type whose rows have paths: its class, or its handle. Use a function when it is declared later in the module. */
  readonly type: ClassSource | Named<'type'> | (() => ClassSource | Named<'type'>)
  /** Field of the type that contains the path, an `LTree`. Default: the only `LTree` field. */
  readonly path?: string
  /** The field by which clients identify a row. Default `id`. */
  readonly id?: string
}

const RULES = {
  type: apart,
  path: text('path'),
  id: text('id'),
} satisfies Record<keyof Required<HierarchyOptions>, OptionRule>

/**
 * Declares a type whose rows form a tree by their paths: `hierarchy('categories', { type: Category })`. An `LTree` field
 * that names it (`@field(LTree, { hierarchy: 'categories' })`) can be filtered by the ids of its rows.
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
      // An invalid type, which has been reported, is printed as a name without brackets.
      if (/[[\]]/.test(type)) scope.fault(place, `${subject} is of ${type}, which is a list. Name the type of its rows`)
      return { name, type: type.replace(/[^\w]/g, ''), ...mapped }
    },
  })
}
