import type { Named } from './brand.ts'
import { apart, type OptionRule, readOptions, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare } from './registry.ts'
import type { ClassSource } from './type-source.ts'

/** Options of `hierarchy()`, which declares a type whose rows form a tree. */
export interface HierarchyOptions {
  /**
   * The type whose rows form the tree: its class, or the result of `type()`. Use a function if it is declared later in
   * the module.
   */
  readonly type: ClassSource | Named<'type'> | (() => ClassSource | Named<'type'>)
  /** The `LTree` field of the type that contains the path of a row in the tree. Default: the only `LTree` field. */
  readonly path?: string
  /** The field of the type whose value clients send to name a row. Default `id`. */
  readonly id?: string
}

/** Conversion of the options of a hierarchy to keys of `schema.json`, with a check of their values. */
export const HIERARCHY_RULES = {
  type: apart,
  path: text('path'),
  id: text('id'),
} satisfies Record<keyof Required<HierarchyOptions>, OptionRule>

/**
 * Declares a type whose rows form a tree by their paths: `hierarchy('categories', { type: Category })`. Clients can
 * then filter `LTree` fields with the option `hierarchy: 'categories'` by ids of rows of that type.
 */
export function hierarchy(name: string, options: HierarchyOptions): void {
  const place = placeAbove(hierarchy)
  const subject = `hierarchy "${name}"`
  declare({
    collection: 'hierarchies',
    name,
    place,
    emit: (scope) => {
      const mapped = readOptions(HIERARCHY_RULES, options, subject, (message) => scope.fault(place, message))
      const type = scope.typeText(options?.type, subject, place)
      // An invalid type, which has been reported, is printed as a name without brackets.
      if (/[[\]]/.test(type)) scope.fault(place, `${subject} is of ${type}, which is a list. Name the type of its rows`)
      return { name, type: type.replace(/[^\w]/g, ''), ...mapped }
    },
  })
}
