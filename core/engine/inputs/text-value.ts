import { parseClientJson } from '../../base/util/client-json.ts'
import { numberOf } from '../../base/util/exact-number.ts'
import { splitList } from '../../base/util/split-list.ts'
import type { InputShape } from '../../schema/input-shape.ts'
import type { NamedType } from '../../schema/model.ts'
import { findScalar, scalarOf } from '../../schema/scalars.ts'
import type { TypeRef } from '../../schema/type-ref.ts'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/**
 * Converts a text from a path or query string to a value of its declared type. Only the type decides: `0123` stays a
 * text for a String.
 * @param shape input shape of the type without its lists
 * @param named the type of the field or argument; `null`: only the shape is known
 * @throws Error whose message describes valid texts
 */
export function textValue(text: string, ref: TypeRef, shape: InputShape, named: NamedType | null): unknown {
  if (ref.kind === 'list') {
    const items: unknown = text.trimStart().startsWith('[') ? readJson(text) : splitList(text)
    if (!Array.isArray(items)) return items
    return items.map((item) => (typeof item === 'string' ? textValue(item, ref.of, shape, named) : item))
  }
  if (shape.kind === 'enum') return text
  if (shape.kind === 'object') return readJson(text)
  const scalar = named?.kind === 'scalar' && named.name === shape.name ? scalarOf(named) : findScalar(shape.name)
  switch (scalar?.wire) {
    case 'number':
      if (NUMBER.test(text)) return numberOf(text, true)
      if (named?.kind === 'scalar' && named.custom) return text
      throw new Error(`${quote(text)} is not a number`)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new Error(`${quote(text)} is neither true nor false`)
      return text === 'true'
    case 'json':
      return readJson(text)
    default:
      return text
  }
}

function readJson(text: string): unknown {
  try {
    return parseClientJson(text, true)
  } catch (cause) {
    throw new Error(`${quote(text)} is not valid JSON`, { cause })
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
