import { isArrayText, readItems } from '../../engine/json/json-text.ts'
import type { EnumType, FieldModel, NamedType, ScalarType } from '../../schema/model.ts'
import { booleanText, checkedJson, type HeldValue, numberText, textOf } from './held-value.ts'

/** What a value's form follows from: a field, or a mutation whose result is the value. */
export type ValueType = Pick<FieldModel, 'name' | 'type' | 'named'>

/**
 * The wire form of times that the database keeps in another.
 * @throws Error for what is none
 */
export interface TimeForms {
  readonly DateTime: (text: string) => string
  readonly Date: (text: string) => string
  readonly Time: (text: string) => string
}

/** Scalars whose JSON is the string that a document holds: anything else in its place must not hide. */
const AS_HELD: ReadonlySet<string> = new Set(['ID', 'String', 'UUID', 'Time', 'Int', 'Float', 'Boolean', 'JSON'])

/** JSON text of a scalar or an enum, or of a list of them, in the wire form. What is none of its type stays what it is. */
export function leafText({ name, named, type }: ValueType, value: HeldValue, times: TimeForms): string {
  if (type.kind === 'list') {
    const json = value.from === 'json' ? value.text : checkedJson(value.text, `The value of "${name}"`)
    if (type.of.kind === 'list') return json
    // A value that is not a list must not be hidden: it is refused when the answer is written.
    if (!isArrayText(json)) return json
    return `[${readItems(json)
      .map((item) => heldLeaf(named, item, times))
      .join(',')}]`
  }
  return value.from === 'json' ? heldLeaf(named, value.text, times) : columnLeaf(named, value.text, name, times)
}

/** Of a JSON value. */
function heldLeaf(named: NamedType, json: string, times: TimeForms): string {
  if (json === 'null') return json
  const text = textOf({ from: 'json', text: json })!
  if (named.kind === 'enum') return JSON.stringify(enumName(named, text))
  const base = baseOf(named)
  if (AS_HELD.has(base)) return json
  return JSON.stringify(base === 'DateTime' || base === 'Date' ? heldTime(times[base], text) : text)
}

/** A text that is no time gets a form that no time has, and is refused when the answer is written. */
function heldTime(read: (text: string) => string, text: string): string {
  try {
    return read(text)
  } catch {
    return `?${text}`
  }
}

/** Of the text of a column. */
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
      return JSON.stringify(times[base](text))
    default:
      return JSON.stringify(text)
  }
}

function baseOf(named: NamedType): string {
  if (named.kind !== 'scalar') throw new Error(`${named.name} is no leaf`)
  return (named as ScalarType).base
}

/** What is no value of the enum gets a form that no name has, and is refused on the way out. */
function enumName(type: EnumType, value: string): string {
  const name = type.toName.get(value)
  return name ?? (type.values.some((entry) => entry.name !== entry.value) ? `?${value}` : value)
}
