import type { CompiledField, CompiledSchema, CompiledType } from '../../schema/compiled.ts'
import type { Report } from './change.ts'

/** Operations of events. A mutation's `CREATE` is an `INSERT`. */
const OPERATIONS = ['INSERT', 'UPDATE', 'DELETE']

/**
 * Converts the option `operation` of a subscription to a list of INSERT, UPDATE and DELETE. Without the option, all
 * three are returned.
 */
export function operationsOf(operation: string | readonly string[] | undefined): readonly string[] {
  if (operation === undefined) return OPERATIONS
  return (typeof operation === 'string' ? [operation] : operation).map((one) => (one === 'CREATE' ? 'INSERT' : one))
}

/**
 * Reports changes for clients that read change events: which types have events, which operations cause them, and which
 * fields their rows have. Such clients are webhooks that get the whole row, readers of a message bus, and clients of
 * the event streams of REST.
 */
export function compareEntities(before: CompiledSchema, after: CompiledSchema, report: Report): void {
  const [old, now] = [entitiesOf(before), entitiesOf(after)]
  for (const [name, entity] of old) {
    const known = now.get(name)
    const place = `entity ${name}`
    if (known === undefined) {
      report('breaking', 'ENTITY_REMOVED', place, `No change of ${name} is an event any more.`)
      continue
    }
    for (const kind of entity.operations)
      if (!known.operations.has(kind))
        report('breaking', 'ENTITY_OPERATION_REMOVED', place, `No mutation causes ${kind} of ${name} any more.`)
    for (const kind of known.operations)
      if (!entity.operations.has(kind))
        report('dangerous', 'ENTITY_OPERATION_ADDED', place, `Mutations cause ${kind} of ${name} now.`)
    compareRows(entity.type, known.type, place, report)
  }
  for (const name of now.keys())
    if (!old.has(name)) report('safe', 'ENTITY_ADDED', `entity ${name}`, `Changes of ${name} are events now.`)
}

interface Entity {
  readonly type: CompiledType
  readonly operations: ReadonlySet<string>
}

/** Returns the types whose rows mutations change, observers observe or subscriptions watch. */
function entitiesOf({ types, mutations, observers, subscriptions }: CompiledSchema): ReadonlyMap<string, Entity> {
  const kinds = new Map<string, Set<string>>()
  const kindsOf = (name: string): Set<string> => {
    const known = kinds.get(name) ?? new Set()
    kinds.set(name, known)
    return known
  }
  for (const { type, operation } of mutations) kindsOf(nameOf(type)).add(operation === 'CREATE' ? 'INSERT' : operation)
  for (const { entity } of observers) kindsOf(entity)
  for (const { type, entity_type: entity } of subscriptions) kindsOf(entity ?? nameOf(type))
  return new Map(
    types.flatMap((type) => {
      const operations = kinds.get(type.name)
      return operations === undefined ? [] : [[type.name, { type, operations }] as const]
    }),
  )
}

function nameOf(type: string): string {
  return type.replaceAll(/[[\]!]/g, '')
}

function compareRows(before: CompiledType, after: CompiledType, place: string, report: Report): void {
  const [old, now] = [rowOf(before), rowOf(after)]
  for (const [name, field] of old) {
    const known = now.get(name)
    const at = `${place}: ${name}`
    if (known === undefined) {
      report('breaking', 'EVENT_FIELD_REMOVED', at, `${name} is not in the row of events any more.`)
      continue
    }
    const message = `${name} changed type from ${field.type} to ${known.type}.`
    if (field.type === known.type) continue
    if (known.type === `${field.type}!`) report('safe', 'EVENT_FIELD_NARROWED', at, message)
    else report('breaking', 'EVENT_FIELD_TYPE_CHANGED', at, message)
  }
  for (const name of now.keys())
    if (!old.has(name)) report('safe', 'EVENT_FIELD_ADDED', `${place}: ${name}`, `${name} is in the row of events now.`)
}

/** Returns the fields in the rows of events: the stored ones. */
function rowOf({ fields }: CompiledType): ReadonlyMap<string, CompiledField> {
  return new Map(
    fields.flatMap((field) =>
      field.read === null || field.read.from === 'relation' ? [] : [[field.name, field] as const],
    ),
  )
}
