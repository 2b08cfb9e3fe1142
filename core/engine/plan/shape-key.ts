import type { AggregateOf, ArgumentNode, OperationTemplate, Selection, ValueNode } from '../../contract/operation.ts'
import type { NamedType } from '../../schema/model.ts'
import { OPERATOR_NAMES, OPERATORS } from '../../schema/operators/operators.ts'
import { own } from './context/plan-value.ts'
import { nullsOfCursor } from './rows/cursor.ts'
import { nodeIdOf } from './rows/node-id.ts'

type Variables = Readonly<Record<string, unknown>>

/** Returns the contribution of one variable to the shape. */
type ShapeReader = (variables: Variables) => string

/**
 * Returns functions that read from the variables what the plan of an operation depends on: the keys of a filter,
 * whether a value is null or absent, sort directions. Most operations have no such variables, and so no such functions.
 */
export function shapeReaders(template: OperationTemplate): readonly ShapeReader[] {
  const readers = new Map<string, ShapeReader>()
  for (const root of template.roots) {
    if (root.kind === 'node') {
      for (const argument of root.arguments) readNodeId(argument.value, root.selection, readers)
      readSelection(root.selection, readers)
    } else if (root.kind === 'operation') {
      readArguments(root.arguments, readers, isOrderOfItsOwn(root.operation.named))
      readSelection(root.selection, readers)
    } else if (root.kind === 'rows') {
      readSelection(root.selection, readers)
    } else if (root.kind === 'related') {
      readArguments(root.relation.arguments, readers)
      readSelection(root.relation.selection, readers)
    } else if (root.kind === 'aggregate') readAggregate(root, readers)
  }
  return [...readers.values()]
}

/** Returns the key under which the plan for these variables is cached. @param readers result of {@link shapeReaders} */
export function shapeKey(readers: readonly ShapeReader[], variables: Variables): string {
  let key = ''
  for (const reader of readers) key += `${reader(variables)};`
  return key
}

function readSelection(selection: Selection, readers: Map<string, ShapeReader>): void {
  if (selection === null) return
  if (selection.kind === 'abstract') {
    for (const possible of selection.possible.values()) readSelection(possible, readers)
  } else if (selection.kind === 'object') {
    for (const field of selection.fields) {
      if (field.kind === 'aggregate') readAggregate(field, readers)
      if (field.kind !== 'field') continue
      readArguments(field.arguments, readers)
      readSelection(field.selection, readers)
    }
  } else {
    for (const field of selection.fields) {
      if (field.field === 'items') readSelection(field.selection, readers)
      if (field.field !== 'edges') continue
      for (const member of field.members) if (member.name === 'node') readSelection(member.selection, readers)
    }
  }
}

function readAggregate({ arguments: args, groupBy, having }: AggregateOf, readers: Map<string, ShapeReader>): void {
  readArguments(args, readers)
  if (groupBy !== null && 'kind' in groupBy) readOrder(groupBy, readers)
  for (const { value } of having) readPresence(value, readers)
}

/** Tests whether the cursor key is a list of fields. Such cursors may contain nulls, even when the client sends no `orderBy`. */
function isOrderOfItsOwn(named: NamedType): boolean {
  return named.kind === 'object' && named.cursor !== null && named.cursor.by !== null
}

/** @param sorted `true` if cursors contain sort keys even when the client sends no `orderBy` */
function readArguments(args: readonly ArgumentNode[], readers: Map<string, ShapeReader>, sorted = false): void {
  const isSorted = sorted || args.some(({ name }) => name === 'orderBy')
  for (const { name, value } of args) {
    if (name === 'where' || name === 'having') readFilter(value, readers)
    else if (name === 'orderBy') readOrder(value, readers)
    else if (isSorted && (name === 'after' || name === 'before')) readCursor(value, readers)
    else readPresence(value, readers)
  }
}

/** Adds to the key which sort keys of a cursor are null, because the SQL depends on it. */
function readCursor(node: ValueNode, readers: Map<string, ShapeReader>): void {
  if (node.kind !== 'variable') return
  const { name } = node
  readers.set(`cursor ${name}`, (variables) => {
    const value = own(variables, name)
    return value === undefined || value === null ? presence(value) : nullsOfCursor(value)
  })
}

function readFilter(node: ValueNode, readers: Map<string, ShapeReader>): void {
  if (node.kind === 'variable') {
    readers.set(`where ${node.name}`, (variables) => filterShape(own(variables, node.name)))
  } else if (node.kind === 'list') {
    for (const item of node.items) readFilter(item, readers)
  } else if (node.kind === 'object') {
    for (const { name, value } of node.fields) {
      if (BOOLEAN_OPERATORS.has(name)) readLiterally(value, readers)
      else if (OPERATOR_NAMES.has(name)) readPresence(value, readers)
      else readFilter(value, readers)
    }
  }
}

/** Adds directions by value: the SQL depends on them, and there are few. */
function readOrder(node: ValueNode, readers: Map<string, ShapeReader>): void {
  if (node.kind === 'list') for (const item of node.items) readOrder(item, readers)
  else if (node.kind === 'object') for (const { value } of node.fields) readOrder(value, readers)
  else readLiterally(node, readers)
}

function readLiterally(node: ValueNode, readers: Map<string, ShapeReader>): void {
  if (node.kind !== 'variable') return
  const { name } = node
  readers.set(`value ${name}`, (variables) => JSON.stringify(own(variables, name)) ?? 'absent')
}

/** Adds whether a variable is present, null or absent. */
function readPresence(node: ValueNode, readers: Map<string, ShapeReader>): void {
  if (node.kind === 'list') for (const item of node.items) readPresence(item, readers)
  else if (node.kind === 'object') for (const { value } of node.fields) readPresence(value, readers)
  else if (node.kind === 'variable' && node.type.nullable) {
    const { name } = node
    readers.set(`presence ${name}`, (variables) => presence(own(variables, name)))
  }
}

/** Adds the type in a global id, because it decides which source is read. All unknown types have the same shape. */
function readNodeId(node: ValueNode, selection: Selection, readers: Map<string, ShapeReader>): void {
  if (node.kind !== 'variable') return
  const { name } = node
  const types = selection?.kind === 'abstract' ? selection.possible : new Map<string, unknown>()
  readers.set(`node ${name}`, (variables) => {
    const value = own(variables, name)
    const type = typeof value === 'string' ? nodeIdOf(value)?.type : undefined
    return type !== undefined && types.has(type) ? type : 'raw'
  })
}

/** Names of the filter operators whose operand is a boolean, such as `_is_null`. */
export const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set(
  OPERATORS.filter((o) => o.operand === 'boolean').map((o) => o.name),
)

export function presence(value: unknown): string {
  return value === undefined ? 'a' : value === null ? 'n' : 'v'
}

/** Limit of nesting. Deeper filters share one shape, because all of them are rejected later. */
const DEEPEST = 64

/**
 * Returns the structure of a filter as text, for the cache key of a plan: its keys, which operands are null or absent,
 * and boolean operands, because the SQL depends on these. Other values are not included.
 * @param depth nesting level of the value
 */
export function filterShape(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return presence(value)
  if (depth > DEEPEST) return '!'
  if (Array.isArray(value)) return `[${value.map((item) => filterShape(item, depth + 1)).join()}]`
  let shape = '{'
  for (const [key, member] of Object.entries(value)) {
    const operand = BOOLEAN_OPERATORS.has(key) ? String(member) : presence(member)
    shape += `${JSON.stringify(key)}:${OPERATOR_NAMES.has(key) ? operand : filterShape(member, depth + 1)},`
  }
  return `${shape}}`
}
