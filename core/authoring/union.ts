import type { SourceLocation } from '../schema/authored.ts'
import { type Named, namedHandle } from './brand.ts'
import { markClass } from './class-element.ts'
import { bareMember } from './members.ts'
import { apart, type OptionRule, readOptions, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare, type EmitScope, reportFault } from './registry.ts'
import type { ClassMark } from './type.ts'
import type { ClassSource } from './type-source.ts'

/**
 * An object type that belongs to a union: its class or the result of `type()`, or a function that returns one of these.
 */
export type UnionMember = ClassSource | Named<'type'> | (() => ClassSource | Named<'type'>)

/** The object types of a union. Use a function if one of them is declared later in the module. */
export type UnionMembers = readonly UnionMember[] | (() => readonly UnionMember[])

/** Options that the decorator `@union` and the function `union()` share. */
export interface UnionOptions {
  readonly description?: string
  /** View that contains the rows of all object types of the union. */
  readonly sqlSource?: string
  /** Column of the view whose value is the name of the row's object type. Default `__typename`. */
  readonly typeColumn?: string
}

/** Options of the decorator `@union`. */
export interface UnionClassOptions extends UnionOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly members: UnionMembers
}

/** Conversion of the options of a union to keys of `schema.json`, with a check of their values. */
export const UNION_RULES = {
  name: apart,
  members: apart,
  description: text('description'),
  sqlSource: text('sql_source'),
  typeColumn: text('type_column'),
} satisfies Record<keyof Required<UnionClassOptions>, OptionRule>

/** Declares a union: `union('SearchResult', [Artist, Album])`, or `@union({ members: [Artist, Album] }) class …`. */
export function union(options: UnionClassOptions): ClassMark
export function union(name: string, members: UnionMembers, options?: UnionOptions): Named<'union'>
export function union(first: string | UnionClassOptions, members?: UnionMembers, options?: UnionOptions): unknown {
  const place = placeAbove(union)
  const bare = bareMember(members)
  if (bare !== null) {
    return reportFault(place, `@union stands on "${bare}" without members. Write @union({ members: [Artist, Album] })`)
  }
  if (typeof first === 'string') {
    add(first, members, options, place)
    return namedHandle('union', first)
  }
  return (target: object, context: unknown): void => {
    const name = markClass('union', 'union', target, context, first?.name, place)
    if (name !== null) add(name, first?.members, first, place)
  }
}

function add(name: string, members: unknown, options: object | undefined, place: SourceLocation): void {
  const subject = `union "${name}"`
  declare({
    collection: 'unions',
    name,
    place,
    emit: (scope) => {
      const mapped = readOptions(UNION_RULES, options, subject, (message) => scope.fault(place, message))
      const { description, ...rest } = mapped
      const names = emitMembers(members, subject, place, scope)
      return { name, ...(description === undefined ? {} : { description }), members: names, ...rest }
    },
  })
}

function emitMembers(members: unknown, subject: string, place: SourceLocation, scope: EmitScope): string[] {
  const given: unknown = typeof members === 'function' ? members() : members
  if (!Array.isArray(given) || given.length === 0) {
    scope.fault(place, `${subject} has no members. Write [Artist, Album]`)
    return []
  }
  return given.map((member, index) => {
    const type = scope.typeText(member, `member ${index + 1} of ${subject}`, place)
    if (!/^\w+!$/.test(type)) scope.fault(place, `member ${index + 1} of ${subject} is ${type}, not an object type`)
    return type.replace(/[^\w]/g, '')
  })
}
