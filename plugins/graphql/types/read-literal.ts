import { Kind, type ValueNode } from 'graphql'
import { jsonText, type ScalarShape } from '../../../core/doors/front.ts'

/**
 * Converts a literal in a GraphQL document to the value of a scalar type.
 * @throws Error whose message names the expected value
 */
export function readLiteral(shape: ScalarShape, node: ValueNode): unknown {
  if (shape.parseLiteral !== null) return shape.parseLiteral(node)
  return shape.parse(toPlain(node, shape.numbersAsText))
}

/** Converts a literal to a plain value. Enum values and variables are rejected. */
function toPlain(node: ValueNode, numbersAsText: boolean): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null
    case Kind.INT:
    case Kind.FLOAT:
      return numbersAsText ? node.value : jsonText.numberOf(node.value, true)
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value
    case Kind.LIST:
      return node.values.map((item) => toPlain(item, numbersAsText))
    case Kind.OBJECT:
      return toObject(node.fields, numbersAsText)
    default:
      if (node.kind === Kind.ENUM) throw new Error(`${node.value} is no value of a scalar: write it in quotes`)
      throw new Error('A variable cannot stand inside the literal of a scalar: make the whole value a variable')
  }
}

function toObject(
  fields: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[],
  numbersAsText: boolean,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { name, value } of fields) {
    // A plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(result, name.value, {
      value: toPlain(value, numbersAsText),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}
