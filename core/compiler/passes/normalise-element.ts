import type { CollectionName } from '../../schema/collections.ts'
import type { OwnedKeys } from '../../schema/plugin-keys.ts'
import type { Report } from '../ground/report.ts'
import { normaliseTypeRef } from './normalise-type-ref.ts'
import { isObject, type Raw, withoutNulls } from './raw.ts'

const FIELD_ALIASES = { default_value: 'default', sql_column: 'column', deprecation_reason: 'deprecated' }
const OPERATION_ALIASES = {
  inject_params: 'inject',
  fn_name: 'sql_source',
  event: 'operation',
}

/**
 * Converts an element of `schema.json`, such as a type or query, with its fields, arguments and values, to the current
 * spelling of all keys.
 * @param owned keys of `schema.json` that plugins define
 */
export function normaliseElement(
  collection: CollectionName,
  element: Raw,
  report: Report,
  owned: readonly OwnedKeys[],
): Raw {
  const label = `${labelOf(collection)} "${String(element.name)}"`
  switch (collection) {
    case 'types':
      renameKeys(element, { inject_params: 'inject' }, label, report)
      normaliseInject(element)
      return normaliseFields(element, report)
    case 'interfaces':
    case 'input_types':
      return normaliseFields(element, report)
    case 'enums':
      mapItems(element, 'values', (value) => normaliseEnumValue(value, report))
      return element
    case 'unions':
      renameKeys(element, { types: 'members' }, label, report)
      return element
    case 'queries':
    case 'mutations':
    case 'subscriptions':
      return normaliseOperation(collection, element, label, report, owned)
    default:
      return element
  }
}

function normaliseFields(element: Raw, report: Report): Raw {
  mapItems(element, 'fields', (field) => normaliseField(field, `${String(element.name)}.${String(field.name)}`, report))
  return element
}

function normaliseInject(element: Raw): void {
  if (isObject(element.inject)) element.inject = Object.fromEntries(Object.entries(element.inject).map(injectSource))
}

function normaliseOperation(
  collection: CollectionName,
  element: Raw,
  label: string,
  report: Report,
  owned: readonly OwnedKeys[],
): Raw {
  renameKeys(element, OPERATION_ALIASES, label, report)
  if (element.return_type !== undefined && element.type !== undefined) {
    conflict(label, 'return_type', 'type', report, element)
    delete element.return_type
  } else if (element.return_type !== undefined) {
    // In the older form, a result is non-null unless `nullable` is true. In the current one, `type` includes nullability and list.
    element.type = element.return_type
    element.nullable ??= false
    if (element.returns_list !== undefined) element.list = element.returns_list
    delete element.return_type
    delete element.returns_list
  }
  normaliseTypeRef(element, label, report)
  normaliseDeprecated(element)
  mapItems(element, 'arguments', (argument) =>
    normaliseField(argument, `${label}, argument "${String(argument.name)}"`, report),
  )
  for (const { operationAliases = {}, capitals = [] } of owned) {
    renameKeys(element, operationAliases, label, report)
    for (const key of capitals) if (typeof element[key] === 'string') element[key] = element[key].toUpperCase()
  }
  normaliseInject(element)
  element.operation = normaliseChange(collection, element.operation)
  if (element.operation === undefined) delete element.operation
  return element
}

/** Converts the older form `{ source: 'jwt', claim: 'sub' }` to `jwt:sub`. */
function injectSource([parameter, source]: [string, unknown]): [string, unknown] {
  if (isObject(source) && Object.keys(source).sort().join() === 'claim,source') {
    return [parameter, `${String(source.source)}:${String(source.claim)}`]
  }
  return [parameter, source]
}

function normaliseChange(collection: CollectionName, operation: unknown): unknown {
  if (Array.isArray(operation)) return operation.map((item) => normaliseChange(collection, item))
  if (typeof operation !== 'string') return operation
  const upper = operation.toUpperCase()
  if (collection === 'mutations') return upper === 'INSERT' ? 'CREATE' : upper
  return upper === 'CREATE' ? 'INSERT' : upper
}

function normaliseField(field: Raw, label: string, report: Report): Raw {
  renameKeys(field, FIELD_ALIASES, label, report)
  normaliseTypeRef(field, label, report)
  normaliseDeprecated(field)
  if (isObject(field.validate)) field.validate = withoutNulls(field.validate)
  return field
}

function normaliseEnumValue(value: Raw, report: Report): Raw {
  renameKeys(value, { deprecation_reason: 'deprecated' }, `Enum value "${String(value.name)}"`, report)
  normaliseDeprecated(value)
  return value
}

function normaliseDeprecated(element: Raw): void {
  const { deprecated } = element
  if (isObject(deprecated) && Object.keys(deprecated).join() === 'reason') element.deprecated = deprecated.reason
}

/**
 * Renames older names of keys in an element to the current ones, in place. If both names are set, it reports a fault,
 * because the intended value is unknown.
 * @param aliases current name by older name; `rest.path` is the key `path` of the object `rest`
 * @param label name of the element, for messages
 */
export function renameKeys(
  element: Raw,
  aliases: Readonly<Record<string, string>>,
  label: string,
  report: Report,
): void {
  for (const [old, today] of Object.entries(aliases)) {
    const [outer = '', inner] = old.split('.')
    if (inner !== undefined) {
      raiseKey(element, outer, inner, today, label, report)
      continue
    }
    if (element[old] === undefined) continue
    if (element[today] !== undefined) {
      conflict(label, old, today, report, element)
      delete element[old]
      continue
    }
    element[today] = element[old]
    delete element[old]
  }
}

/** Moves a key out of the object that contains it. The object is removed with its last key. */
function raiseKey(element: Raw, outer: string, inner: string, today: string, label: string, report: Report): void {
  const object = element[outer]
  if (!isObject(object)) return
  const { [inner]: value, ...others } = object
  if (value !== undefined && element[today] !== undefined) {
    conflict(label, `${outer}.${inner}`, today, report, element)
  }
  if (value !== undefined && value !== null) element[today] = value
  if (Object.keys(others).length === 0) delete element[outer]
  else element[outer] = others
}

function conflict(label: string, old: string, today: string, report: Report, element: Raw): void {
  report.fault(
    'conflicting-keys',
    `${label} has both "${old}" and "${today}", which are one option. Keep "${today}".`,
    element,
  )
}

function mapItems(element: Raw, key: string, change: (item: Raw) => Raw): void {
  const items = element[key]
  if (!Array.isArray(items)) return
  element[key] = items.map((item: unknown) => {
    if (typeof item === 'string' && key === 'values') return { name: item }
    return isObject(item) ? change(withoutNulls(item)) : item
  })
}

function labelOf(collection: CollectionName): string {
  switch (collection) {
    case 'queries':
      return 'Query'
    case 'mutations':
      return 'Mutation'
    case 'subscriptions':
      return 'Subscription'
    case 'unions':
      return 'Union'
    default:
      return 'Element'
  }
}
