import type { SubscriptionCondition, SubscriptionFilter } from '../../../core/doors/command.ts'
import { changes, ExactNumber, expressions, toWireName } from '../../../core/doors/front.ts'
import { didYouMean, listNames } from '../../../core/doors/plugin.ts'
import { contextVariable } from './context-variable.ts'

/** The filter that a schema's author wrote for a subscription, compiled for the rows of one type. */
export interface AuthorFilter {
  /** Condition that a change must meet; `null`: none. */
  readonly condition: changes.Condition | null
  /**
   * Fields to compare arguments with, as paths by GraphQL name of the argument. An argument that is not listed is
   * compared with the field of the same name.
   */
  readonly paths: ReadonlyMap<string, readonly string[]>
  /** Fields that the condition reads, by their names in `schema.json`. */
  readonly fields: ReadonlySet<string>
  readonly usesContext: boolean
}

/** Error of an invalid subscription filter. Its message contains the position in the filter. */
export class FilterFault extends Error {}

const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/
const COMPARED = { eq: '==', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=', in: 'in' } as const

/**
 * Compiles the author's filter of a subscription for the rows of one type.
 * @param filter an expression or conditions; `undefined`: every change matches
 * @throws FilterFault
 */
export function compileFilter(filter: SubscriptionFilter | undefined, shape: changes.EntityShape): AuthorFilter {
  const fields = new Set<string>()
  const paths = new Map<string, readonly string[]>()
  const source = typeof filter === 'string' ? filter : toExpression(filter, shape, paths)
  let usesContext = false
  const context = contextVariable(() => {
    usesContext = true
  })
  // Records a field when the condition refers to it, with any of its spellings.
  const watched: changes.EntityShape = {
    ...shape,
    find(key) {
      const field = shape.find(key)
      if (field !== undefined) fields.add(field.name)
      return field
    },
  }
  const condition = source === null ? null : compile(source, watched, context)
  return { condition, paths, fields, usesContext }
}

function compile(source: string, shape: changes.EntityShape, context: changes.MoreNames): changes.Condition {
  try {
    return changes.compileCondition(source, shape, context)
  } catch (error) {
    if (error instanceof expressions.ExpressionFault) throw new FilterFault(error.message)
    throw error
  }
}

/** Adds the paths of arguments to `paths`. @returns the conditions as an expression; `null` when there are only arguments */
function toExpression(
  filter: Exclude<SubscriptionFilter, string> | undefined,
  shape: changes.EntityShape,
  paths: Map<string, readonly string[]>,
): string | null {
  if (filter === undefined) return null
  if ('conditions' in filter && Object.keys(filter).length > 1) {
    throw new FilterFault('"conditions" stand alone; what stands beside them is one more of them')
  }
  const all: readonly SubscriptionCondition[] = 'conditions' in filter ? filter.conditions : [filter]
  const tests: string[] = []
  for (const [index, one] of all.entries()) {
    const place = `condition ${index + 1}`
    checkForm(one, place)
    const path = pathOf(one.path, shape, place)
    if ('argument' in one) {
      const name = toWireName(one.argument)
      if (paths.has(name)) throw new FilterFault(`${place}: argument "${one.argument}" has a path already`)
      paths.set(name, path)
      continue
    }
    const { operator = 'eq', value } = one
    const literal = literalOf(value, place)
    const isList = Array.isArray(value)
    if (isList !== (operator === 'in')) {
      throw new FilterFault(`${place}: "${operator}" wants ${operator === 'in' ? 'a list' : 'one value'}`)
    }
    tests.push(
      operator === 'contains' ? `contains(${one.path}, ${literal})` : `${one.path} ${COMPARED[operator]} ${literal}`,
    )
  }
  return tests.length === 0 ? null : tests.join(' and ')
}

/** The condition comes from JSON, so that any part of it may be missing. */
function checkForm(one: SubscriptionCondition, place: string): void {
  if (one.path === undefined) throw new FilterFault(`${place}: it needs a "path"`)
  const hasValue = 'value' in one && one.value !== undefined
  if ('argument' in one) {
    if (hasValue || 'operator' in one) throw new FilterFault(`${place}: it has an "argument", and needs a "path" alone`)
  } else if (!hasValue) throw new FilterFault(`${place}: it needs a "value" or an "argument"`)
}

/** @returns the declared name of the field, then keys within its value */
function pathOf(text: string, shape: changes.EntityShape, place: string): readonly string[] {
  if (!PATH.test(text)) throw new FilterFault(`${place}: "${text}" is no path: names with dots between them`)
  const [first, ...keys] = text.split('.')
  const field = shape.find(first!)
  if (field !== undefined) return [field.name, ...keys]
  const names = shape.fields.map(({ name }) => name)
  const hint = didYouMean(first!, names) || ` There is: ${listNames(names)}.`
  throw new FilterFault(`${place}: ${shape.name} has no field "${first}".${hint}`)
}

function literalOf(value: unknown, place: string): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const text = String(value)
    return text.startsWith('-') ? `(${text})` : text
  }
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&')}'`
  if (Array.isArray(value) && value.length > 0 && !value.some(Array.isArray)) {
    return `[${value.map((item) => literalOf(item, place)).join(', ')}]`
  }
  throw new FilterFault(`${place}: its value is a text, a number, true, false, null, or for "in" a list of such`)
}
