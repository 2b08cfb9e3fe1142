import type { SourceLocation } from '../schema/authored.ts'
import { brandOf, type Named, namedHandle } from './brand.ts'
import { markClass } from './class-element.ts'
import { bareMember } from './members.ts'
import { apart, type OptionRule, readOptions, rule, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare } from './registry.ts'
import { RULES_WANTED, type RuleSource, readRules, ruleProblem } from './rules.ts'
import type { ScalarFunctions } from './scalar-functions.ts'
import type { ClassMark } from './type.ts'
import type { ClassSource } from './type-source.ts'

/** Options of a custom scalar. */
export interface ScalarOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
  readonly specifiedByUrl?: string
  /** The built-in scalar with the same wire form, operators and column type. Default `String`. */
  readonly baseType?: Named<'scalar'>
  /** Validation rules for values of clients: pattern, length, range, enum, checksum, all, any. */
  readonly validationRules?: RuleSource
  /** A condition on `value`, checked after the other rules: `value % 5 == 0`. */
  readonly eloExpression?: string
}

/** Second argument of the plain function. */
export interface ScalarDefinition extends Omit<ScalarOptions, 'name'>, Partial<ScalarFunctions> {}

/** The return value of `scalar()` as a plain function. Export a scalar with functions, since the server imports it. */
export type ScalarHandle = Named<'scalar'> & Partial<ScalarFunctions>

const baseType = rule('a built-in scalar', (value) => {
  const brand = brandOf(value)
  return brand?.kind === 'scalar' && brand.builtin === true ? brand.name : undefined
})

const fn = rule('a function', (value) => (typeof value === 'function' ? value : undefined))

const SCALAR_RULES = {
  name: apart,
  description: text('description'),
  specifiedByUrl: text('specified_by_url'),
  baseType: baseType('base_type'),
  validationRules: rule(RULES_WANTED, readRules, ruleProblem)('validation_rules'),
  eloExpression: text('elo_expression'),
  serialize: fn('serialize'),
  parse: fn('parse'),
  parseLiteral: fn('parse_literal'),
} satisfies Record<keyof Required<ScalarOptions & ScalarFunctions>, OptionRule>

/**
 * Declares a custom scalar: `export const Money = scalar('Money', { baseType: Decimal, parse })`, or `@scalar({ baseType: Decimal }) export
 * class Money { static parse(value: unknown) { … } }` (`@scalar` alone: its base type is String). Its functions stay in the module, so a
 * scalar with functions must be exported.
 */
export function scalar(target: ClassSource, context: ClassDecoratorContext): void
export function scalar(options?: ScalarOptions): ClassMark
export function scalar(name: string, definition?: ScalarDefinition): ScalarHandle
export function scalar(first?: unknown, second?: unknown): unknown {
  const place = placeAbove(scalar)
  if (typeof first === 'string') {
    const definition: ScalarDefinition = second ?? {}
    const { serialize, parse, parseLiteral } = definition
    const functions = Object.entries({ serialize, parse, parseLiteral }).filter(([, value]) => value !== undefined)
    const handle = namedHandle('scalar', first, Object.fromEntries(functions))
    add(first, handle, definition, place)
    return handle
  }
  const mark = (target: object, context: unknown, options: ScalarOptions | undefined): void => {
    const name = markClass('scalar', 'scalar', target, context, options?.name, place)
    if (name !== null) add(name, target, options, place)
  }
  if (bareMember(second) !== null) return mark(first as object, second, undefined)
  return (target: object, context: unknown): void => mark(target, context, first as ScalarOptions | undefined)
}

function add(name: string, target: object, options: object | undefined, place: SourceLocation): void {
  declare({
    collection: 'custom_scalars',
    name,
    place,
    functions: target,
    emit: (scope) => {
      const mapped = readOptions(SCALAR_RULES, options, `scalar "${name}"`, (message) => scope.fault(place, message))
      const { serialize: _s, parse: _p, parse_literal: _l, ...data } = mapped
      return { name, ...data, ...(scope.locate(target) ?? {}) }
    },
  })
}
