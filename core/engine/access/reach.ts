import type { ArgumentNode, OperationTemplate, RootSelection, Selection } from '../../contract/operation.ts'
import type { FieldModel, NamedType, OperationModel, OutputComposite } from '../../schema/model.ts'
import { nodeTarget } from './targets.ts'

/**
 * The types and fields of which an operation may return values or reveal information. It may contain too many, never
 * too few, so that an `authorize` hook can skip restrictions on all others.
 */
export interface Reach {
  /**
   * Tests whether an operation may return or reveal a type or field. `false` is certain.
   * @param target an object type or one of its fields, by the names that clients use: `User`, `User.email`
   */
  has(target: string): boolean
}

const known = new WeakMap<OperationTemplate, FoundReach>()
const closures = new WeakMap<OutputComposite, ReadonlySet<string>>()

/**
 * Returns the types and fields that an operation selects. For a filter or another generated argument, it adds all
 * fields of the types that the argument can refer to, because a filter can follow relations. The result is cached for
 * the template object.
 */
export function reachOf(template: OperationTemplate): Reach {
  let reach = known.get(template)
  if (reach === undefined) {
    reach = new FoundReach()
    for (const root of template.roots) addRoot(reach, root)
    known.set(template, reach)
  }
  return reach
}

class FoundReach implements Reach {
  /** Single targets: `User`, `User.email`. */
  readonly targets = new Set<string>()
  /** Types with all their fields. */
  readonly whole = new Set<string>()

  has(target: string): boolean {
    if (this.targets.has(target)) return true
    if (this.whole.size === 0) return false
    return this.whole.has(typeOf(target))
  }
}

function addRoot(reach: FoundReach, root: RootSelection): void {
  switch (root.kind) {
    case 'operation':
      addArguments(reach, root.arguments, root.operation.named, root.operation)
      // A cursor contains the key, which may be a field.
      if (root.selection?.kind === 'connection') reach.whole.add(root.operation.named.name)
      addSelection(reach, root.selection)
      break
    case 'node':
      if (root.selection?.kind === 'object') reach.targets.add(nodeTarget(root.selection.type.name))
      if (root.selection?.kind === 'abstract')
        for (const name of root.selection.possible.keys()) reach.targets.add(nodeTarget(name))
      addSelection(reach, root.selection)
      break
    case 'rows':
      reach.targets.add(root.type.name)
      // Keys with and without rows reveal values of the key field.
      for (const path of [root.by ?? 'id'].flat()) addPath(reach, root.type, path.split('.'))
      addSelection(reach, root.selection)
      break
    case 'aggregate':
      addClosure(reach, root.operation.named)
      break
    // A plugin that answers a literal root reads data by operations of its own.
    case 'literal':
    case 'typename':
      break
  }
}

/** Generated arguments that refer to no field. */
const OF_PAGES: ReadonlySet<string> = new Set(['limit', 'offset', 'first', 'last', 'after', 'before'])

/** Arguments that the schema declares are not counted: the guards of their operation protect them (docs/guides/access.md#per-request). */
function addArguments(
  reach: FoundReach,
  given: readonly ArgumentNode[],
  named: NamedType,
  operation: OperationModel | null,
): void {
  const speaks = given.some(({ name }) => !OF_PAGES.has(name) && operation?.arguments.has(name) !== true)
  if (speaks) addClosure(reach, named)
}

function addSelection(reach: FoundReach, selection: Selection): void {
  if (selection === null) return
  switch (selection.kind) {
    case 'object':
      reach.targets.add(selection.type.name)
      for (const field of selection.fields) {
        if (field.kind === 'typename') continue
        addField(reach, selection.type.name, field.field)
        if (field.kind === 'aggregate') addClosure(reach, field.field.named)
        if (field.kind !== 'field') continue
        addArguments(reach, field.arguments, field.field.named, null)
        addSelection(reach, field.selection)
      }
      break
    case 'abstract':
      for (const member of selection.possible.values()) addSelection(reach, member)
      break
    default:
      for (const field of selection.fields) {
        if (field.field === 'items') addSelection(reach, field.selection)
        if (field.field !== 'edges') continue
        for (const member of field.members) if (member.name === 'node') addSelection(reach, member.selection)
      }
  }
}

function addField(reach: FoundReach, type: string, field: FieldModel): void {
  reach.targets.add(`${type}.${field.wireName}`)
  for (const guard of field.guards ?? []) reach.targets.add(guard)
}

function addPath(reach: FoundReach, type: NamedType, [name, ...rest]: readonly string[]): void {
  if (name === undefined || type.kind !== 'object') return
  reach.targets.add(type.name).add(`${type.name}.${name}`)
  const field = type.fields.get(name)
  if (field !== undefined) addPath(reach, field.named, rest)
}

function addClosure(reach: FoundReach, named: NamedType): void {
  if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') return
  for (const name of closureOf(named)) reach.whole.add(name)
}

function closureOf(named: OutputComposite): ReadonlySet<string> {
  let types = closures.get(named)
  if (types === undefined) {
    types = walk(named)
    closures.set(named, types)
  }
  return types
}

/** Returns the type of a target such as `User.email`. */
function typeOf(target: string): string {
  return target.split('.', 1)[0]!
}

function walk(start: OutputComposite): ReadonlySet<string> {
  const seen = new Set<NamedType>()
  const names = new Set<string>()
  const queue: NamedType[] = [start]
  for (let type = queue.pop(); type !== undefined; type = queue.pop()) {
    if (seen.has(type) || (type.kind !== 'object' && type.kind !== 'interface' && type.kind !== 'union')) continue
    seen.add(type)
    if (type.kind === 'object') names.add(type.name)
    else queue.push(...type.members)
    if (type.kind === 'union') continue
    for (const { named, hierarchy, guards = [] } of type.fields.values()) {
      queue.push(named)
      for (const guard of guards) names.add(typeOf(guard))
      // Filters by a row of the hierarchy read the path of that row.
      if (hierarchy !== null) queue.push(hierarchy.type)
    }
  }
  return names
}
