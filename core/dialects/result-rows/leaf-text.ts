import { isArrayText, readItems } from '../../engine/json/json-text.ts'
import type { EnumType, FieldModel, NamedType, ScalarType } from '../../schema/model.ts'
import { booleanText, checkedJson, type HeldValue, numberText, textOf } from './held-value.ts'

/**
 * The properties of a field, or of a mutation whose result is a plain value, that determine the JSON form of the value.
 */
export type ValueType = Pick<FieldModel, 'name' | 'type' | 'named'>

/**
 * Functions that convert a time from the text that the database stores to the text of the response, by scalar. They
 * throw an Error for an invalid time.
 */
export interface TimeForms {
  readonly DateTime: (text: string) => string
  readonly Date: (text: string) => string
  readonly Time: (text: string) => string
}

/** Scalars whose wire form equals the string in a document. Any other JSON stays unchanged, so that the answer's completion rejects it. */
const AS_HELD: ReadonlySet<string> = new Set(['ID', 'String', 'UUID', 'Time', 'Int', 'Float', 'Boolean', 'JSON'])

/**
 * Converts a scalar or an enum, or a list of them, that a function returned to the JSON of the response. A value of
 * another type stays unchanged, so that the check of the response rejects it.
 */
export function leafText({ name, named, type }: ValueType, value: HeldValue, times: TimeForms): string {
  if (type.kind === 'list') {
    const json = value.from === 'json' ? value.text : checkedJson(value.text, `The value of "${name}"`)
    if (type.of.kind === 'list') return json
    // A value that is not a list stays unchanged, so that the completion of the answer rejects it.
    if (!isArrayText(json)) return json
    return `[${readItems(json)
      .map((item) => heldLeaf(named, item, times))
      .join(',')}]`
  }
  return value.from === 'json' ? heldLeaf(named, value.text, times) : columnLeaf(named, value.text, name, times)
}

/** Writes a JSON value in the wire form. */
function heldLeaf(named: NamedType, json: string, times: TimeForms): string {
  if (json === 'null') return json
  const text = textOf({ from: 'json', text: json })!
  if (named.kind === 'enum') return JSON.stringify(enumName(named, text))
  const base = baseOf(named)
  if (AS_HELD.has(base)) return json
  return JSON.stringify(base === 'DateTime' || base === 'Date' ? heldTime(times[base], text) : text)
}

/** Formats a time. An invalid text gets a form that no time has, so that the completion of the answer rejects it. */
function heldTime(read: (text: string) => string, text: string): string {
  try {
    return read(text)
  } catch {
    return `?${text}`
  }
}

/** Writes the text of a column in the wire form. */
function columnLeaf(named: NamedType, text: string, name: string, times: TimeForms): string {
  if (named.kind === 'enum') return JSON.stringify(enumName(named, text))
  const base = baseOf(named)
  switch (base) {
    case 'Int':
    case 'Float':
      return numberText(text)
    case 'Boolean':
      return booleanText(text)
    case 'JSON':
      return checkedJson(text, `The value of "${name}"`)
    case 'UUID':
      return JSON.stringify(text.toLowerCase())
    case 'DateTime':
    case 'Date':
    case 'Time':
      return JSON.stringify(heldTime(times[base], text))
    default:
      return JSON.stringify(text)
  }
}

function baseOf(named: NamedType): string {
  if (named.kind !== 'scalar') throw new Error(`${named.name} is no leaf`)
  return (named as ScalarType).base
}

/**
 * Converts an SQL value to its wire name. Any other value gets a form that no name has, so that the completion of the answer rejects it.
 */
function enumName(type: EnumType, value: string): string {
  const name = type.toName.get(value)
  return name ?? (type.values.some((entry) => entry.name !== entry.value) ? `?${value}` : value)
}
