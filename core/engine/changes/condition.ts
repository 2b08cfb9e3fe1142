import { textToNumbers } from '../../base/util/exact-number.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { compileTest, type ExpressionScope } from '../../expression/compile-expression.ts'
import { ExpressionFault } from '../../expression/expression-fault.ts'
import { parseExpression } from '../../expression/parse-expression.ts'
import type { ExpressionNode } from '../../expression/syntax.ts'
import type { EntityField, EntityShape } from './entity-shape.ts'
import type { ObservedChange, ObservedRow } from './observed-change.ts'

/**
 * Tests whether a change meets a compiled condition. @throws ExpressionFailure if the condition cannot be evaluated,
 * for example because it divides by zero
 */
export type Condition = (change: ObservedChange) => boolean

/**
 * Names that a condition may use in addition to the fields of the row, such as `context` for facts about a subscriber.
 * A field with the same name takes precedence.
 */
export interface MoreNames {
  /** Returns a function that reads the value of a name when a change is tested; `null`: the name is unknown. */
  readonly variable: (name: string) => ((change: ObservedChange) => unknown) | null
  readonly has: (name: string) => boolean
}

/** Names of rewritten functions. They begin with `@`, which the expression language does not allow in names. */
const CHANGED = '@changed'
const HAS = '@has'
const OLD = '@old'
const NEW = '@new'

/**
 * Compiles the condition of an observer or of a subscription's filter (docs/plugins/observers.md#conditions). It may
 * use fields, `field.old`, `field.new`, `old.field`, `new.field`, `field.changed()`, `field_changed('f')`,
 * `field_changed_to('f', v)`, `field_changed_from('f', v)` and `has_field('f')`.
 * @param source text of the condition
 * @param shape fields of the watched type
 * @param more further names, such as facts about a subscriber
 * @throws ExpressionFault with the column, for a syntax error or an unknown name
 */
export function compileCondition(source: string, shape: EntityShape, more?: MoreNames): Condition {
  const test = compileTest(rewrite(parseExpression(source)), scopeOf(shape, more))
  return (change) => test(change, Date.parse(change.event.time))
}

function scopeOf(shape: EntityShape, more?: MoreNames): ExpressionScope<ObservedChange> {
  return {
    variable(name, rest) {
      if (name === CHANGED || name === HAS) return aboutField(name, rest[0] ?? '', shape)
      // A field has precedence, because the author declared it.
      const field = shape.find(name)
      if (field !== undefined)
        return rest[0] === 'old' || rest[0] === 'new' ? bothOf(field) : ({ row }) => read(row, field)
      const isOld = name === 'old' || name === OLD
      if (!isOld && name !== 'new' && name !== NEW) return more?.variable(name) ?? null
      if (rest[0] === undefined) throw new ExpressionFault(`"${name}" wants a field: ${name}.<field>`, 1)
      const of = fieldOf(rest[0], shape)
      return ({ old, now }) => keyed(rest[0]!, read(isOld ? old : now, of))
    },
    names: () => shape.fields.map(({ name }) => name),
    ...(more === undefined
      ? {}
      : { caller: { has: (name) => shape.find(name) === undefined && more.has(name), absence: 'fails' } }),
  }
}

function aboutField(about: string, name: string, shape: EntityShape): (change: ObservedChange) => unknown {
  if (about === HAS) return ({ row }) => keyed(name, Object.hasOwn(row, shape.find(name)?.name ?? name))
  const field = fieldOf(name, shape)
  return ({ changed }) => keyed(name, changed.has(field.name))
}

function bothOf(field: EntityField): (change: ObservedChange) => unknown {
  return ({ old, now }) => ({ old: read(old, field), new: read(now, field) })
}

/** Wraps a value in an object with the key that the rest of the path looks up. */
function keyed(key: string, value: unknown): unknown {
  return Object.assign(Object.create(null), { [key]: value })
}

function read(row: ObservedRow | null, { name, isNumberText }: EntityField): unknown {
  const value = row !== null && Object.hasOwn(row, name) ? row[name] : null
  return isNumberText ? textToNumbers(value) : value
}

function fieldOf(name: string, { name: type, fields, find }: EntityShape): EntityField {
  const field = find(name)
  if (field !== undefined) return field
  const names = fields.map((one) => one.name)
  const hint = didYouMean(name, names) || ` There is: ${listNames(names)}.`
  throw new ExpressionFault(`${type} has no field "${name}".${hint}`, 1)
}

type Call = Extract<ExpressionNode, { kind: 'call' }>

/** Rewrites functions that take a field, as opposed to its value, to paths. */
function rewrite(node: ExpressionNode): ExpressionNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, left: rewrite(node.left), right: rewrite(node.right) }
    case 'compare':
    case 'arithmetic':
      return { ...node, left: rewrite(node.left), right: rewrite(node.right) }
    case 'not':
    case 'negative':
      return { ...node, of: rewrite(node.of) }
    case 'list':
      return { ...node, items: node.items.map(rewrite) }
    case 'call':
      return rewriteCall(node)
    default:
      return node
  }
}

function rewriteCall(node: Call): ExpressionNode {
  const { name, at, receiver, args } = node
  switch (name) {
    case 'changed':
      if (receiver?.length !== 1 || args.length > 0)
        throw new ExpressionFault('changed() is called on a field: status.changed()', at)
      return path(at, CHANGED, receiver[0]!)
    case 'field_changed':
      return path(at, CHANGED, named(node, 1))
    case 'has_field':
      return path(at, HAS, named(node, 1))
    case 'field_changed_to':
    case 'field_changed_from': {
      const field = named(node, 2)
      const side = path(at, name === 'field_changed_to' ? NEW : OLD, field)
      const right = rewrite(args[1]!)
      const equal: ExpressionNode = { kind: 'compare', at, operator: '==', left: side, right }
      return { kind: 'and', at, left: path(at, CHANGED, field), right: equal }
    }
    default:
      return { ...node, args: args.map(rewrite) }
  }
}

function path(at: number, ...names: readonly string[]): ExpressionNode {
  return { kind: 'path', at, names }
}

/** Returns the field name in the first argument, a text. */
function named({ name, at, receiver, args }: Call, count: number): string {
  const [first] = args
  if (receiver !== null || args.length !== count || first?.kind !== 'constant' || typeof first.value !== 'string') {
    throw new ExpressionFault(
      `${name}() wants the name of a field${count === 2 ? ' and a value' : ''}: ${name}('status'${count === 2 ? ", 'done'" : ''})`,
      at,
    )
  }
  return first.value
}
