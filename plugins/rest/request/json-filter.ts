import { ExactNumber, jsonText } from '../../../core/doors/front.ts'
import { type FieldModel, type ObjectType, SvcError } from '../../../core/doors/plugin.ts'
import { operatorOfField } from './field-filter.ts'
import { fieldsOf } from './fields-of-type.ts'
import { DEEPEST_GROUP } from './parse-group.ts'
import { invalidFields, nullInFilter, overLimit, unknownParameter } from './refusals.ts'

export type Filter = Record<string, unknown>

const JOINTS = ['and', 'or', 'not']
const QUANTIFIERS = ['some', 'every', 'none']

/**
 * Converts the JSON of the query parameter `filter` to a filter of the query.
 * @param text value of the parameter
 * @param mostBytes maximum length of `text` in bytes
 * @returns `null` for `null`, which means no filter
 * @throws SvcError INVALID_JSON, BAD_USER_INPUT, VALIDATION_ERROR, UNKNOWN_PARAMETER, UNKNOWN_OPERATOR
 */
export function readJsonFilter(text: string, type: ObjectType, mostBytes: number): Filter | null {
  if (Buffer.byteLength(text) > mostBytes) {
    throw overLimit(`filter: at most ${mostBytes} bytes may be sent (rest.max_filter_bytes).`)
  }
  let value: unknown
  try {
    value = jsonText.parse(text, true)
  } catch (cause) {
    throw new SvcError('INVALID_JSON', `filter is not valid JSON: ${(cause as Error).message}`, { cause })
  }
  return value === null ? null : readFilter(value, type, 'filter', 0)
}

function readFilter(value: unknown, type: ObjectType, place: string, depth: number): Filter {
  if (depth > DEEPEST_GROUP) throw overLimit(`filter: a filter may be nested ${DEEPEST_GROUP} levels deep.`)
  const filter: Filter = {}
  const { byName, filterable } = fieldsOf(type)
  for (const [key, member] of Object.entries(objectAt(value, place))) {
    const at = `${place}.${key}`
    const joint = jointOf(key, byName)
    if (joint !== null) {
      filter[`_${joint}`] =
        joint === 'not' ? readFilter(member, type, at, depth + 1) : readAll(member, type, at, depth + 1)
      continue
    }
    const field = byName.get(key)
    if (field === undefined || !field.filterable || field.read === null) {
      throw unknownParameter(key, filterable, `field of ${type.name} to filter by`)
    }
    const condition = readCondition(member, field, at, depth)
    const other = filter[field.wireName]
    if (other !== undefined)
      throw invalidFields([{ field: at, reason: 'the field is given twice, in two spellings' }], 400)
    filter[field.wireName] = condition
  }
  return filter
}

function readCondition(value: unknown, field: FieldModel, place: string, depth: number): Filter {
  const { named } = field
  if (named.kind === 'object') {
    if (!field.list) return readFilter(value, named, place, depth + 1)
    const filter: Filter = {}
    for (const [key, member] of Object.entries(objectAt(value, place))) {
      const name = key.replace(/^_/, '')
      if (!QUANTIFIERS.includes(name))
        throw unknownParameter(key, QUANTIFIERS, `condition on the list "${field.wireName}"`)
      filter[name] = readFilter(member, named, `${place}.${key}`, depth + 1)
    }
    return filter
  }
  const filter: Filter = {}
  for (const [key, operand] of Object.entries(objectAt(value, place))) {
    const operator = operatorOfField(field, key)
    if (Object.hasOwn(filter, operator.name)) {
      throw invalidFields([{ field: `${place}.${key}`, reason: 'the operator is given twice, in two spellings' }], 400)
    }
    filter[operator.name] = operator.readValue(operand, `${place}.${key}`)
  }
  return filter
}

function readAll(value: unknown, type: ObjectType, place: string, depth: number): readonly Filter[] {
  if (value === null) throw nullInFilter(place)
  if (!Array.isArray(value)) throw invalidFields([{ field: place, reason: 'there has to be a list of filters' }], 400)
  return value.map((item, index) => readFilter(item, type, `${place}[${index}]`, depth))
}

/** Returns the operator of a group; `null` for a field. A field named `and` takes precedence over the group `and`; `_and` is always the group. */
function jointOf(key: string, fields: ReadonlyMap<string, FieldModel>): string | null {
  const name = key.startsWith('_') ? key.slice(1) : fields.has(key) ? '' : key
  return JOINTS.includes(name) ? name : null
}

function objectAt(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)) {
    return value as Readonly<Record<string, unknown>>
  }
  if (value === null) throw nullInFilter(place)
  throw invalidFields([{ field: place, reason: 'there has to be an object, such as { "eq": … }' }], 400)
}
